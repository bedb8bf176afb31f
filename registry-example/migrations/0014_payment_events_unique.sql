-- One booking per provider event.
ALTER TABLE payment_events
    ADD CONSTRAINT payment_events_event_id_key UNIQUE (event_id);
