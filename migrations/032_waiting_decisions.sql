-- Finds questions that wait though their card is deleted or doesn't ask them any more.
create index decisions_waiting_card on decisions (card_id) where state = 'waiting';
