-- A press stores what the viewer entered, and the card's state once per version of the card. Before, each press with other
-- values stored the whole state.

alter table card_states rename to stored_card_states;
alter table stored_card_states alter column state drop not null,
  -- Of the state that this one is made of, with other values. Such a state is whole.
  add column base bytea,
  -- By block id: only those that differ from the base.
  add column given json,
  add check ((state is null) = (base is not null) and (base is null) = (given is null));
create index stored_card_states_base on stored_card_states (channel_id, base) where base is not null;

-- The entries of `state` with the values of `given`. `json` keeps the order of fields, so that a webhook's bytes stay the same.
create function with_card_values(state json, given json) returns json language sql immutable as $$
  select json_agg(
    case when v.key is null then e.entry else (
      select json_object_agg(f.key, case f.key when 'value' then v.value else f.value end order by f.n)
      from json_each(e.entry) with ordinality f (key, value, n)
    ) end order by e.n)
  from json_array_elements(state) with ordinality e (entry, n) left join json_each(given) v on v.key = e.entry->>'id'
$$;

-- All states as they were at the time. Instances of 0.2, which may run next to this version, read and write here.
create view card_states as
select s.channel_id, s.hash,
  case when s.base is null then s.state else with_card_values(b.state, s.given) end as state
from stored_card_states s left join stored_card_states b on b.channel_id = s.channel_id and b.hash = s.base;

create function store_card_state() returns trigger language plpgsql as $$
begin
  insert into stored_card_states (channel_id, hash, state) values (new.channel_id, new.hash, new.state)
  on conflict do nothing;
  return new;
end
$$;
create trigger store_card_state instead of insert on card_states for each row execute function store_card_state();

-- A base stays while another state is made of it, and goes with the last one.
create function forget_card_state() returns trigger language plpgsql as $$
declare
  freed bytea;
begin
  delete from stored_card_states s
  where channel_id = old.channel_id and hash = old.hash
    and not exists (select from stored_card_states o where o.channel_id = s.channel_id and o.base = s.hash)
  returning base into freed;
  delete from stored_card_states s
  where channel_id = old.channel_id and hash = freed
    and not exists (select from stored_card_states o where o.channel_id = s.channel_id and o.base = s.hash)
    and not exists (select from interactions i where i.channel_id = s.channel_id and i.card_state_hash = s.hash);
  return old;
end
$$;
create trigger forget_card_state instead of delete on card_states for each row execute function forget_card_state();

-- A long label is stored with the card's state, not with each press.
create function with_label(pressed json, state json) returns json language sql immutable as $$
  select case when pressed->>'type' <> 'button_click' or pressed->'label' is not null then pressed else
    json_build_object('type', pressed->'type', 'button_id', pressed->'button_id', 'label', (
      select b.button->'label'
      from json_array_elements(state) e (entry), json_array_elements(e.entry->'buttons') b (button)
      where b.button->>'id' = pressed->>'button_id' limit 1))
  end
$$;

-- Set while the receipts of a workspace are removed, before it becomes public. Meanwhile, presses leave none.
alter table workspaces add column becoming_public_at timestamptz;
