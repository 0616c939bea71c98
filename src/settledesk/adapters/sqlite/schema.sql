create table meta (
    name text primary key,
    value text not null
) strict, without rowid;

create table cases (
    id text primary key,
    seq integer not null unique,
    subject text not null,
    display text not null,
    status text not null,
    handled_by text not null,
    is_final integer not null,
    version integer not null,
    state_json text not null,
    updated_at text not null
) strict, without rowid;
create index cases_by_subject on cases (subject);
create index cases_by_display on cases (display);

create table case_log (
    case_id text not null references cases (id),
    seq integer not null,
    kind text not null,
    data_json text not null,
    by text not null,
    at text not null,
    primary key (case_id, seq)
) strict, without rowid;

create table case_references (
    reference text not null,
    case_id text not null references cases (id),
    primary key (reference, case_id)
) strict, without rowid;

create table inbox (
    source text not null,
    message_id text not null,
    payload_json text not null,
    received_at text not null,
    primary key (source, message_id)
) strict, without rowid;

create table moments (
    id integer primary key,
    case_id text not null references cases (id),
    kind text not null,
    key text not null unique,
    payload_json text not null,
    state text not null check (state in ('ready', 'leased', 'done', 'dead')),
    not_before text not null,
    owner text,
    attempt integer not null default 0,
    failures integer not null default 0,
    reason text
) strict;
create unique index one_moment_per_case on moments (case_id) where state = 'leased';
create index moments_ready on moments (not_before, id) where state = 'ready';
create index moments_of_case on moments (case_id, state);

create table calls (
    key text primary key,
    case_id text not null references cases (id),
    moment_id integer not null,
    target text not null,
    request_json text not null,
    state text not null check (state in ('intent', 'done', 'failed', 'unknown')),
    response_json text,
    at text not null
) strict, without rowid;
create index calls_of_case on calls (case_id);

create table cursors (
    name text primary key,
    value integer not null
) strict, without rowid;
