#!/bin/sh
# PostgreSQL's image runs this once, when it creates the database: the service's role owns its database and nothing else.
set -e
psql --username "${POSTGRES_USER:-postgres}" --set ON_ERROR_STOP=1 --set password="$FEED_PASSWORD" <<'SQL'
create role feed login password :'password';
create database feed owner feed;
SQL
