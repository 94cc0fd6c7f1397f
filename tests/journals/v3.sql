-- A journal of version 3, as its program left it. Never changed: it must stay readable.
PRAGMA application_id = 1413563201;
PRAGMA user_version = 3;
BEGIN TRANSACTION;
CREATE TABLE boots (number INTEGER PRIMARY KEY) STRICT;
INSERT INTO "boots" VALUES(3);
CREATE TABLE club (
    number INTEGER PRIMARY KEY,
    short TEXT NOT NULL,
    spoken TEXT NOT NULL,
    handicaps TEXT NOT NULL
) STRICT;
INSERT INTO "club" VALUES(1,'ANA','Ana Lussia','{"snooker":"start -7","three_cushions":"25"}');
CREATE TABLE cursors (
    match_no INTEGER PRIMARY KEY REFERENCES matches (number),
    seq INTEGER NOT NULL
) STRICT;
INSERT INTO "cursors" VALUES(1,9);
INSERT INTO "cursors" VALUES(2,5);
CREATE TABLE damages (
    number INTEGER PRIMARY KEY,
    damage TEXT NOT NULL,
    told INTEGER NOT NULL
) STRICT;
CREATE TABLE doubles (
    number INTEGER PRIMARY KEY,
    same_as INTEGER NOT NULL CHECK (same_as <> number)
) STRICT;
INSERT INTO "doubles" VALUES(170000000000,2);
CREATE TABLE matches (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    rulebook TEXT NOT NULL,
    edition TEXT NOT NULL,
    digest TEXT NOT NULL,
    terms TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('prepared', 'in play', 'finished')),
    taken_up INTEGER NOT NULL
) STRICT;
INSERT INTO "matches" VALUES(1,'2026-03-02-1','ug','UMB three-cushion organisation rules, December 2019, as quoted; UMB rules of play 1989','a3d67cc27879247a','{"lost_match_fills":false,"target":[40,40],"limit":null,"last_from":"as_is","eq_causes":["target"],"eq_first_inning_only":false,"compare":"points","draw":"stands","sets":1,"final":null,"set_start":"alternate","frozen":"option_touching","offtable":"offenders","overshoot":"refuse","clock":40,"to":[2,2],"auto_to":false,"disciplinary_loses":2,"call_at":3,"avg_dec":3,"avg_mode":"trunc"}',1772500000000,1492131663,'finished',2);
INSERT INTO "matches" VALUES(2,'2026-03-02-2','ug','UMB three-cushion organisation rules, December 2019, as quoted; UMB rules of play 1989','a3d67cc27879247a','{"lost_match_fills":false,"target":[40,40],"limit":null,"last_from":"as_is","eq_causes":["target"],"eq_first_inning_only":false,"compare":"points","draw":"stands","sets":1,"final":null,"set_start":"alternate","frozen":"option_touching","offtable":"offenders","overshoot":"refuse","clock":40,"to":[2,2],"auto_to":false,"disciplinary_loses":2,"call_at":3,"avg_dec":3,"avg_mode":"trunc"}',1772500000000,3032752322,'in play',3);
INSERT INTO "matches" VALUES(3,'2026-03-02-3','ug','UMB three-cushion organisation rules, December 2019, as quoted; UMB rules of play 1989','a3d67cc27879247a','{"lost_match_fills":false,"target":[40,40],"limit":null,"last_from":"as_is","eq_causes":["target"],"eq_first_inning_only":false,"compare":"points","draw":"stands","sets":1,"final":null,"set_start":"alternate","frozen":"option_touching","offtable":"offenders","overshoot":"refuse","clock":40,"to":[2,2],"auto_to":false,"disciplinary_loses":2,"call_at":3,"avg_dec":3,"avg_mode":"trunc"}',1772500000000,4012389817,'prepared',0);
CREATE TABLE players (number INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
INSERT INTO "players" VALUES(1,'Ana Lúcia');
INSERT INTO "players" VALUES(2,'Søren');
CREATE TABLE records (
    match_no INTEGER NOT NULL REFERENCES matches (number),
    seq INTEGER NOT NULL,
    rulebook TEXT NOT NULL,
    act TEXT NOT NULL,
    t_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    synced INTEGER NOT NULL,
    device TEXT NOT NULL,
    number TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (match_no, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO "records" VALUES(1,0,'ug','SETUP(rulebook=ug,A=1,B=2)',0,1772500000000,1,'app','1.0',1738540286);
INSERT INTO "records" VALUES(1,1,'ug','FIRST(B)',700,1772500000700,0,'panel','1.1',2682076598);
INSERT INTO "records" VALUES(1,2,'ug','=3',1400,1772500001400,1,'panel','1.2',3803798264);
INSERT INTO "records" VALUES(1,3,'ug','+1',2100,1772500002100,0,'panel','1.3',3827216469);
INSERT INTO "records" VALUES(1,4,'ug','/',2800,1772500002800,1,'panel','1.4',2582732137);
INSERT INTO "records" VALUES(1,5,'ug','UNDO',3500,1772500003500,0,'panel','1.5',2328528627);
INSERT INTO "records" VALUES(1,6,'ug','/',4200,1772500004200,1,'panel','1.6',2019638546);
INSERT INTO "records" VALUES(1,7,'ug','EDIT(B1=2)',4900,1772500004900,0,'panel','1.7',3205553562);
INSERT INTO "records" VALUES(1,8,'ug','CONCEDE(A,match)',5600,1772500005600,1,'panel','1.8',3615795918);
INSERT INTO "records" VALUES(1,9,'ug','OK',6300,1772500006300,0,'panel','1.9',3545099355);
INSERT INTO "records" VALUES(2,0,'ug','SETUP(rulebook=ug,A=1,B=2)',0,1772500000000,1,'app','1.0',3698592493);
INSERT INTO "records" VALUES(2,1,'ug','/',700,1772500000700,0,'panel','1.1',3852766838);
INSERT INTO "records" VALUES(2,2,'ug','=4',1400,1772500001400,1,'panel','1.2',1888549093);
INSERT INTO "records" VALUES(2,3,'ug','UNDO',2100,1772500002100,0,'panel','1.3',1106361486);
INSERT INTO "records" VALUES(2,4,'ug','REDO',2800,1772500002800,1,'panel','1.4',3458408259);
INSERT INTO "records" VALUES(2,5,'ug','[FOUL(off) PICK(as_is)]',3500,1772500003500,0,'panel','1.5',3590798294);
INSERT INTO "records" VALUES(2,6,'ug','EDIT(A2=6)',4200,1772500004200,1,'panel','1.6',3512439328);
INSERT INTO "records" VALUES(2,7,'ug','[SPLICE(3,4) / =4]',4900,1772500004900,0,'panel','1.7',3826491163);
INSERT INTO "records" VALUES(2,8,'ug','+1',5600,1772500005600,1,'panel','1.8',1137421198);
INSERT INTO "records" VALUES(2,9,'ug','/',6300,1772500006300,0,'panel','1.9',935511718);
INSERT INTO "records" VALUES(3,0,'ug','SETUP(rulebook=ug,A=1,B=2)',0,1772500000000,1,'app','1.0',3040349980);
CREATE TABLE summaries (
    match_no INTEGER PRIMARY KEY REFERENCES matches (number),
    version INTEGER NOT NULL,
    summary TEXT NOT NULL
) STRICT;
INSERT INTO "summaries" VALUES(1,1,'{"seq":9,"result":{"winner":"B","reason":"concession","scope":"match","by_conduct":false},"score":[1,2],"tally":{"sets":[0,0]},"conduct":[0,0],"figures":{"targets":[40,40],"to_go":[39,38],"innings":[1,1],"averages":["1.000","2.000"],"high_runs":[1,2],"total_points":[1,2],"total_innings":[1,1],"lie":"as_is","timeouts":[2,2]}}');
CREATE UNIQUE INDEX record_source ON records (match_no, device, number);
CREATE TRIGGER record_kept BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END;
CREATE TRIGGER record_not_deleted BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never deleted'); END;
CREATE TRIGGER record_in_order BEFORE INSERT ON records
WHEN NEW.seq <> (SELECT coalesce(max(seq), -1) + 1 FROM records WHERE match_no = NEW.match_no)
BEGIN SELECT RAISE(ABORT, 'a record follows the last one of its match'); END;
CREATE TRIGGER record_once BEFORE INSERT ON records
WHEN EXISTS (
    SELECT 1 FROM records
    WHERE match_no = NEW.match_no AND device = NEW.device AND number = NEW.number
)
BEGIN SELECT RAISE(ABORT, 'a source has one record in a match'); END;
CREATE TRIGGER match_kept
BEFORE UPDATE OF number, id, rulebook, edition, digest, terms, started_ms, checksum ON matches
BEGIN SELECT RAISE(ABORT, 'what a match began with is never changed'); END;
CREATE TRIGGER match_not_deleted BEFORE DELETE ON matches
BEGIN SELECT RAISE(ABORT, 'a match is never deleted'); END;
CREATE INDEX match_state ON matches (state, taken_up);
COMMIT;
