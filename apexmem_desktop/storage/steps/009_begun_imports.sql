-- An import's row stands before its turns, which name it, and is completed in the same transaction:
-- until then it says that it was imported at 0. From then on it is as append-only as the rest.
DROP TRIGGER sources_no_update;
CREATE TRIGGER sources_no_update BEFORE UPDATE ON sources WHEN OLD.imported_at_ms <> 0
BEGIN SELECT RAISE(ABORT, 'sources are append-only'); END;
