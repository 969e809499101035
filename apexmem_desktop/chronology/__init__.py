"""Words to intervals of time, intervals back to words, zones, validity, Allen's relations."""
