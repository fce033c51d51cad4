-- A database that some other program left: sqlite3 legacy.sqlite < legacy.sql
CREATE TABLE departments (id INTEGER PRIMARY KEY, code INTEGER NOT NULL UNIQUE, name TEXT NOT NULL, budget REAL);
CREATE TABLE employees (
    id INTEGER PRIMARY KEY,
    employee_id TEXT NOT NULL UNIQUE,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    hired_at INTEGER,
    is_active INTEGER NOT NULL DEFAULT 1,
    badge TEXT,
    department_id INTEGER REFERENCES departments (id),
    manager_id INTEGER REFERENCES employees (id)
);
CREATE TABLE skills (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE employee_skills (
    employee_id INTEGER NOT NULL REFERENCES employees (id),
    skill_id INTEGER NOT NULL REFERENCES skills (id),
    position INTEGER NOT NULL,
    PRIMARY KEY (employee_id, skill_id)
);
CREATE TABLE audit_log (id INTEGER PRIMARY KEY, message TEXT, created_at TEXT);

INSERT INTO departments VALUES (1, 100, 'Research', 1250000.5), (2, 200, 'Design', NULL);
INSERT INTO employees VALUES
    (1, 'E-2001', 'Katherine', 'Johnson', 599616000, 1, '3f2504e0-4f89-41d3-9a0c-0305e82c3301', 1, NULL),
    (2, 'E-2002', 'Margaret', 'Hamilton', 631152000, 1, NULL, 1, 1),
    (3, 'E-2003', 'Ray', 'Eames', NULL, 0, NULL, 2, 1);
INSERT INTO skills VALUES (1, 'Orbits'), (2, 'Software'), (3, 'Chairs');
INSERT INTO employee_skills VALUES (2, 2, 1), (2, 1, 2), (1, 1, 1), (3, 3, 1);
INSERT INTO audit_log VALUES (1, 'created', '2024-01-01 00:00:00');
