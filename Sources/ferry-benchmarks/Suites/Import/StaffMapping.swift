/// The import mappings of the benchmarks.
enum StaffMapping {
    /// What the records have, and where an employee's department comes from.
    enum Shape: String {
        /// No department; all are there.
        case skip
        /// There is no file of departments: each is made of its code.
        case create
        /// The record is rejected; a file lacks one department of a hundred.
        case error
        /// Each record makes an employee and its department, found by its code.
        case record
        /// All departments are there, and so are the projects that an employee has beside it.
        case lists
        /// The same, where both sides are in order.
        case ordered
        /// All departments are there; each employee names another one who comes later in the file.
        case forward

        var hasProjects: Bool { self == .lists || self == .ordered }

        /// The model that the records are for.
        var model: StaffModel {
            switch self {
            case .skip, .create, .error, .record, .lists: .plain
            case .ordered: .ordered
            case .forward: .managed
            }
        }

        /// What becomes of a department that is not there.
        fileprivate var rule: String { self == .create || self == .error ? rawValue : Shape.skip.rawValue }
    }

    /// Departments, then employees in one of the formats.
    static func text(_ format: StaffData.Format, _ shape: Shape = .skip) -> String {
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
        if shape == .record {
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
            \(shape == .create ? "" : departments)\
            \(shape.hasProjects ? projects : "")\
              - \(employees)
                entity: Employee
                key: number
                attributes: \(attributes)
                relationships:
                  department: {by: code, from: department, onMissing: \(shape.rule)}
            \(shape.hasProjects ? "      projects: {by: code, from: projects, separator: ';'}\n" : "")\
            \(shape == .forward ? "      manager: {by: number, from: manager}\n" : "")\

            """
    }
}
