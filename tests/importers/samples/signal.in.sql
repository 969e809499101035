-- A small memory of Signal on a desktop.
CREATE TABLE conversations(id STRING PRIMARY KEY ASC, json TEXT, active_at INTEGER, type STRING, members TEXT, name TEXT, profileName TEXT, profileFullName TEXT, e164 TEXT, serviceId TEXT, groupId STRING);
INSERT INTO conversations VALUES('c-ida','{}',0,'private',NULL,NULL,'Ida','Ida Holm','+4791000001','s-ida',NULL);
INSERT INTO conversations VALUES('c-ole','{}',0,'private',NULL,'Ole (work)','Ole',NULL,'+4791000002','s-ole',NULL);
INSERT INTO conversations VALUES('c-hut','{}',0,'group','s-ida s-ole','Hut weekend',NULL,NULL,NULL,NULL,'g-hut');
CREATE TABLE callsHistory(callId TEXT PRIMARY KEY, peerId TEXT NOT NULL, mode TEXT, type TEXT, direction TEXT, status TEXT, timestamp INTEGER);
INSERT INTO callsHistory VALUES('77','s-ida','Direct','Video','Incoming','Missed',1714550500000);
CREATE TABLE messages(rowid INTEGER PRIMARY KEY ASC, id STRING UNIQUE, json TEXT, sent_at INTEGER, conversationId STRING, received_at INTEGER, source STRING, type STRING, body TEXT, isErased INTEGER, sourceServiceId TEXT, callId TEXT GENERATED ALWAYS AS (json_extract(json, '$.callId')));
INSERT INTO messages VALUES(1,'m-1','{"body":"Snow up there?"}',1714550400000,'c-ida',1,NULL,'outgoing','Snow up there?',0,NULL);
INSERT INTO messages VALUES(2,'m-2','{"quote":{"id":1714550400000,"messageId":"m-1"},"editHistory":[{"body":"Half a metre"},{"body":"Half"}]}',1714550460000,'c-ida',2,4791000001,'incoming','Half a metre',0,'s-ida');
INSERT INTO messages VALUES(3,'m-3','{"callId":"77"}',1714550500000,'c-ida',3,NULL,'call-history',NULL,0,NULL);
INSERT INTO messages VALUES(4,'m-4','{"deletedForEveryone":true}',1714550560000,'c-ida',4,4791000001,'incoming','',0,'s-ida');
INSERT INTO messages VALUES(5,'m-5','{"groupV2Change":{}}',1714550600000,'c-hut',5,NULL,'group-v2-change',NULL,0,NULL);
INSERT INTO messages VALUES(6,'m-6','{"attachments":[{"fileName":"cabin.jpg","contentType":"image/jpeg"}]}',1714550660000,'c-hut',6,4791000002,'incoming','Here it is',0,'s-ole');
INSERT INTO messages VALUES(7,'m-7','{}',1714550720000,'c-hut',7,NULL,'outgoing',replace('Two\nlines','\n',char(10)),0,NULL);
INSERT INTO messages VALUES(8,'m-8','{}',1714550780000,'c-hut',8,NULL,'story','A story',0,'s-ida');
INSERT INTO messages VALUES(9,'m-9','{"contact":[{"name":{"givenName":"Kai"}}]}',1714550790000,'c-hut',9,NULL,'incoming','',0,'s-ida');
INSERT INTO messages VALUES(10,'m-10','{broken',1714550800000,'c-hut',10,NULL,'outgoing','SQLite itself refuses this one',0,NULL);
