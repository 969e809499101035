-- Questions that were asked one after the other, each knowing those before it, are a dialogue with the memory.
ALTER TABLE traces ADD COLUMN dialogue_id INTEGER;   -- the number of its first answer; NULL: this is the first
-- A dialogue is the user's own, and goes when the user says so. What an answer said is still never changed.
DROP TRIGGER traces_no_delete;
