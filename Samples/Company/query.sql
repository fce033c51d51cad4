-- What the migrated sample holds, whatever primary keys its rows have: sqlite3 -readonly Company.sqlite < query.sql
.mode list
.headers off

.print == Divisions: name, code, budget, headcount, members
SELECT d.ZNAME, d.ZCODE, coalesce(CAST(d.ZBUDGET AS TEXT), 'NULL'), d.ZHEADCOUNT,
    (SELECT group_concat(ZEMPLOYEEID, ' ') FROM (SELECT ZEMPLOYEEID FROM ZPERSON WHERE ZDEPARTMENT = d.Z_PK ORDER BY 1))
FROM ZORGANIZATION d JOIN Z_PRIMARYKEY e ON e.Z_ENT = d.Z_ENT
WHERE e.Z_NAME = 'Division' ORDER BY d.ZNAME;

.print
.print == Employees: entity, ID, name, nickname, phone, vacation, rating, steps, salary, manager
SELECT e.Z_NAME, p.ZEMPLOYEEID, p.ZFIRSTNAME || ' ' || p.ZLASTNAME, p.ZNICKNAME, quote(p.ZPHONE), p.ZVACATIONDAYS, p.ZRATING,
    coalesce(CAST(p.ZSTEPS AS TEXT), 'NULL'), coalesce(CAST(p.ZSALARY AS TEXT), 'NULL'), (SELECT m.ZLASTNAME FROM ZPERSON m WHERE m.Z_PK = p.ZMANAGER AND m.Z_ENT = p.Z6_MANAGER)
FROM ZPERSON p JOIN Z_PRIMARYKEY e ON e.Z_ENT = p.Z_ENT
ORDER BY p.ZEMPLOYEEID;

.print
.print == Remarks: ID, bytes, text, which is in hexadecimal digits where it holds a NUL
SELECT ZEMPLOYEEID, length(CAST(ZREMARKS AS BLOB)),
    iif(instr(CAST(ZREMARKS AS BLOB), X'00') > 0, hex(ZREMARKS), replace(ZREMARKS, char(10), '<LF>'))
FROM ZPERSON WHERE ZREMARKS IS NOT NULL ORDER BY ZEMPLOYEEID;

.print
.print == Managers: title, bonus, assistant, direct reports
SELECT m.ZTITLE, coalesce(CAST(m.ZBONUS AS TEXT), 'NULL'), (SELECT a.ZLASTNAME FROM ZPERSON a WHERE a.Z_PK = m.ZASSISTANT),
    (SELECT count(*) FROM ZPERSON r WHERE r.ZMANAGER = m.Z_PK)
FROM ZPERSON m JOIN Z_PRIMARYKEY e ON e.Z_ENT = m.Z_ENT
WHERE e.Z_NAME = 'Manager' ORDER BY m.ZEMPLOYEEID;

.print
.print == Projects: title, code, budget, deadline, leads, related projects, team
SELECT iif(instr(CAST(j.ZTITLE AS BLOB), X'00') > 0, hex(j.ZTITLE), j.ZTITLE), j.ZCODE, coalesce(CAST(j.ZBUDGET AS TEXT), 'NULL'), coalesce(CAST(j.ZDEADLINE AS TEXT), 'NULL'),
    (SELECT group_concat(p.ZLASTNAME, ' ') FROM Z_6LEDPROJECTS l JOIN ZPERSON p ON p.Z_PK = l.Z_6LEADS WHERE l.Z_8LEDPROJECTS = j.Z_PK),
    (SELECT group_concat(ZTITLE, ', ') FROM (
        SELECT o.ZTITLE FROM Z_8RELATEDPROJECTS r JOIN ZPROJECT o ON o.Z_PK = r.REFLEXIVE WHERE r.Z_8RELATEDPROJECTS = j.Z_PK ORDER BY 1)),
    (SELECT group_concat(ZEMPLOYEEID, ' ') FROM (
        SELECT p.ZEMPLOYEEID FROM Z_6PROJECTS t JOIN ZPERSON p ON p.Z_PK = t.Z_6TEAM WHERE t.Z_8PROJECTS = j.Z_PK ORDER BY 1))
FROM ZPROJECT j ORDER BY j.ZTITLE;

.print
.print == Binary data: ID, badge, size of preferences, place and size of photo
SELECT ZEMPLOYEEID, hex(ZBADGE), length(ZPREFERENCES), hex(substr(ZPHOTO, 1, 1)), length(ZPHOTO)
FROM ZPERSON WHERE ZBADGE IS NOT NULL OR ZPREFERENCES IS NOT NULL OR ZPHOTO IS NOT NULL ORDER BY ZEMPLOYEEID;

.print
.print == Entities: number, name, number of the parent
SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT;
