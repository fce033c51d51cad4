/// The import mappings of the benchmarks.
enum StaffMapping {
    /// Departments, then employees in one of the formats.
    static func text(_ format: StaffData.Format) -> String {
        let employees =
            switch format {
            case .csv: "files: 'employees*.csv'"
            case .xml: "files: 'employees*.xml'\n    format: xml\n    records: /staff/employee"
            case .ndjson: "files: 'employees*.ndjson'\n    format: json\n    layout: lines"
            }
        let number = format == .xml ? "'@number'" : "number"
        return """
            import: 1
            sources:
              - files: 'departments.csv'
                entity: Department
                key: code
                attributes: [code, name]
              - \(employees)
                entity: Employee
                key: number
                attributes:
                  number: \(number)
                  name: name
                  email: email
                  hired: hired
                  salary: salary
                  remark: remark
                relationships:
                  department: {by: code, from: department}

            """
    }
}
