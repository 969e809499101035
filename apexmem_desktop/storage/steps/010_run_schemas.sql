-- What held a call's reply, beside the prompt and the model that made it.
ALTER TABLE runs ADD COLUMN schema_sha256 TEXT NOT NULL DEFAULT '';  -- of the grammar, schema or choices; '' when any would do, and for calls before this step
