/// The import mappings of the benchmarks.
enum StaffMapping {
    /// Where an employee's department comes from.
    enum Missing: String {
        /// No department; all are there.
        case skip
        /// There is no file of departments: each is made of its code.
        case create
        /// The record is rejected; a file lacks one department of a hundred.
        case error
        /// Each record makes an employee and its department, found by its code.
        case record
        /// No department; all are there, and so are the projects that an employee has beside it.
        case lists

        /// What becomes of a department that is not there.
        fileprivate var rule: String { self == .lists ? "skip" : rawValue }
    }

    /// Departments, then employees in one of the formats.
    static func text(_ format: StaffData.Format, missing: Missing = .skip) -> String {
        let employees =
            switch format {
            case .csv: "files: 'employees*.csv'"
            case .xml: "files: 'employees*.xml'\n    format: xml\n    records: /staff/employee"
            case .ndjson: "files: 'employees*.ndjson'\n    format: json\n    layout: lines"
            }
        let number = format == .xml ? "'@number'" : "number"
        let attributes =
            "{number: \(number), name: name, email: email, hired: hired, salary: salary, remark: remark}"
        let departments = """
              - files: 'departments*.csv'
                entity: Department
                key: code
                attributes: [code, name]

            """
        let projects = """
              - files: projects.csv
                entity: Project
                key: code
                attributes: [code, title]

            """
        if missing == .record {
            return """
                import: 1
                sources:
                  - \(employees)
                    objects:
                      - id: employee
                        entity: Employee
                        key: number
                        attributes: \(attributes)
                        relationships:
                          department: {object: department}
                      - id: department
                        entity: Department
                        key: code
                        attributes: {code: department}

                """
        }
        return """
            import: 1
            sources:
            \(missing == .create ? "" : departments)\
            \(missing == .lists ? projects : "")\
              - \(employees)
                entity: Employee
                key: number
                attributes: \(attributes)
                relationships:
                  department: {by: code, from: department, onMissing: \(missing.rule)}
            \(missing == .lists ? "      projects: {by: code, from: projects, separator: ';'}\n" : "")\

            """
    }
}
