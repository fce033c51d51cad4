/// SQL that writes the files of the import benchmarks; the shell runs it, so that this process stays small.
///
/// An employee has seven columns and about 75 bytes as CSV: a number, a name with a comma in quotes, an address, a
/// time, a decimal, a remark that is missing, plain or with quotes in quotes, and one of 500 departments. Numbers are
/// unique and in no order: what is looked up by them lies anywhere in the store.
struct StaffData {
    enum Format: String, CaseIterable {
        case csv, xml, ndjson
    }

    static let departmentCount = 500
    static let projectCount = 3000
    /// Those of an employee.
    static let projectsOfEmployee = 3

    /// How many records there are.
    let count: Int

    /// An SQL expression of the record's place `k`: the same number is the same employee in all files.
    private let employee: String

    /// Whether the values that are not the key differ from those of the first version.
    private let isChanged: Bool

    /// A column that a CSV file may have beside the others.
    enum OtherColumn: String {
        /// The codes of the employee's projects, separated by semicolons.
        case projects
        /// The number of the employee half way to the end of the file.
        case manager
    }

    private let otherColumn: OtherColumn?

    /// The first so many employees.
    init(first count: Int, with otherColumn: OtherColumn? = nil) {
        self.count = count
        employee = "k"
        isChanged = false
        self.otherColumn = otherColumn
    }

    /// In turn an employee out of so many, with another salary, and one who is new; the former are spread over all.
    init(changing count: Int, of all: Int) {
        self.count = count
        let distance = max(1, all / max(1, count / 2))
        employee = "CASE k % 2 WHEN 0 THEN k / 2 * \(distance) ELSE \(all) + (k + 1) / 2 END"
        isChanged = true
        otherColumn = nil
    }

    /// The departments as CSV.
    ///
    /// - Parameter share: how many of them there are, in percent.
    static func departments(share: Int = 100) -> String {
        """
        .mode list
        SELECT 'code,name';
        WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < \(departmentCount * share / 100))
        SELECT printf('D%d,"Department, number %d"', n, n) FROM i;

        """
    }

    /// The projects as CSV.
    static func projects() -> String {
        """
        .mode list
        SELECT 'code,title';
        WITH RECURSIVE i(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n + 1 < \(projectCount))
        SELECT printf('P%d,Project %d', n, n) FROM i;

        """
    }

    /// SQL for the codes of an employee's projects, each out of a part of all: they differ.
    private static var codes: String {
        let part = projectCount / projectsOfEmployee
        return (0..<projectsOfEmployee).map { place in
            "'P' || (number * \(31 + place * 6) % \(part) + \(place * part))"
        }.joined(separator: " || ';' || ")
    }

    /// SQL for what follows the columns that all files have.
    private var other: String {
        switch otherColumn {
        case .projects: " || ',' || \(Self.codes)"
        case .manager: " || ',' || manager"
        case nil: ""
        }
    }

    func script(_ format: Format) -> String {
        let records =
            "WITH RECURSIVE place(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM place WHERE k < \(count)), "
            + "i(n) AS (SELECT \(employee) FROM place), employee AS (\(columns))\n"
        switch format {
        case .csv:
            return """
                .mode list
                SELECT 'number,name,email,hired,salary,remark,department\(otherColumn.map { ",\($0.rawValue)" } ?? "")';
                \(records)
                SELECT printf('%d,"%s",%s,%s,%s,%s,%s', number, name, email, hired, salary, CASE
                    WHEN remark LIKE '%"%' THEN '"' || replace(remark, '"', '""') || '"' ELSE remark END, department)\(other)
                FROM employee;

                """
        case .xml:
            return """
                .mode list
                SELECT '<?xml version="1.0" encoding="UTF-8"?>' || char(10) || '<staff>';
                \(records)
                SELECT printf('<employee number="%d"><name>%s</name><email>%s</email><hired>%s</hired><salary>%s</salary>%s'
                    || '<department>%s</department></employee>', number, name, email, hired, salary, CASE
                    WHEN remark <> '' THEN '<remark>' || replace(remark, '&', '&amp;') || '</remark>' ELSE '' END, department)
                FROM employee;
                SELECT '</staff>';

                """
        case .ndjson:
            return """
                .mode list
                \(records)
                SELECT json_object('number', number, 'name', name, 'email', email, 'hired', hired, 'salary', salary,
                    'remark', nullif(remark, ''), 'department', department)
                FROM employee;

                """
        }
    }

    private var columns: String {
        let change = isChanged ? 1 : 0
        return """
            SELECT n * 2654435761 % 4294967296 AS number,
                (n + (\(count) - n + 1) / 2) * 2654435761 % 4294967296 AS manager,
                trim(substr('Berger  Novak   Rossi   Lindberg', n % 4 * 8 + 1, 8)) || ', '
                    || trim(substr('Anna    Boris   Chiara  Dag     ', n / 4 % 4 * 8 + 1, 8)) AS name,
                'u' || n || '@ex.org' AS email,
                strftime('%Y-%m-%dT%H:%M:%SZ', 1000000000 + n * 7919 % 700000000, 'unixepoch') AS hired,
                printf('%d.%02d', 20000 + (n + \(change)) % 90000, n % 100) AS salary,
                CASE n % 4 WHEN 0 THEN 'a "b" & c' WHEN 1 THEN 'remark ' || n % 100 ELSE '' END AS remark,
                'D' || (n * 31 % \(Self.departmentCount) + 1) AS department
            FROM i
            """
    }
}
