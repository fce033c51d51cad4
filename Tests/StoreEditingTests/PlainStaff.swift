import GeneratedStores
import ManagedObjectModels
import SQLiteAccess
import StoreEditing
import TestSupport

/// The content of a store of `StaffModel` as values, and the rules of the model in plain Swift.
struct PlainStaff: Equatable {
    struct Employee: Equatable {
        var salary: Int?
        var department: Int?
        var manager: Int?
        var badge: Int?
    }

    var departments: [Int: Int] = [:]
    var employees: [Int: Employee] = [:]
    /// Owners by badge.
    var badges: [Int: Int?] = [:]
    var projects: Set<Int> = []
    /// Pairs of an employee and a project.
    var members: Set<[Int]> = []
    /// The highest keys that were given.
    var lastEmployee = 0

    // MARK: Reading

    init() {}

    init(_ store: TemporaryStore) throws {
        let connection = try Connection(path: store.path, access: .readOnly)
        func key(_ value: SQLiteValue) -> Int? { value.integer.map { Int($0) } }
        for row in try connection.rows("SELECT Z_PK, ZCODE FROM ZDEPARTMENT") {
            departments[key(row[0]) ?? 0] = key(row[1]) ?? 0
        }
        for row in try connection.rows("SELECT Z_PK, ZSALARY, ZDEPARTMENT, ZMANAGER, ZBADGE FROM ZEMPLOYEE") {
            employees[key(row[0]) ?? 0] = Employee(
                salary: key(row[1]), department: key(row[2]), manager: key(row[3]), badge: key(row[4]))
        }
        for row in try connection.rows("SELECT Z_PK, ZOWNER FROM ZBADGE") {
            badges.updateValue(key(row[1]), forKey: key(row[0]) ?? 0)
        }
        projects = Set(try connection.rows("SELECT Z_PK FROM ZPROJECT").compactMap { key($0[0]) })
        let table =
            try connection.value(
                "SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*' AND type = 'table'"
            ).string ?? ""
        let columns = try connection.rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY name")
            .compactMap { $0[0].string }
        // Z_3... has employees, entity 3, and Z_4... projects.
        for row in try connection.rows("SELECT \(columns[0]), \(columns[1]) FROM \(table)") {
            members.insert(row.compactMap(key))
        }
        lastEmployee = key(try connection.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Employee'")) ?? 0
    }

    /// SQL that makes the rows.
    var sql: String {
        func text(_ value: Int?) -> String { value.map(String.init) ?? "NULL" }
        var sql = ""
        for (key, code) in departments {
            sql += "INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (\(key), 2, 1, \(code));"
        }
        for (key, employee) in employees {
            sql +=
                "INSERT INTO ZEMPLOYEE (Z_PK, Z_ENT, Z_OPT, ZSALARY, ZDEPARTMENT, ZMANAGER, ZBADGE) VALUES (\(key), 3, 1, "
            sql +=
                "\(text(employee.salary)), \(text(employee.department)), \(text(employee.manager)), \(text(employee.badge)));"
        }
        for (key, owner) in badges {
            sql +=
                "INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZOWNER) VALUES (\(key), 1, 1, \(key), \(text(owner)));"
        }
        for key in projects {
            sql += "INSERT INTO ZPROJECT (Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES (\(key), 4, 1, \(key));"
        }
        return sql
    }

    // MARK: Rules

    /// Whether a save of the content would succeed, where none has failed before.
    func isValid(_ staff: StaffModel) -> Bool {
        Set(departments.values).count == departments.count
            && employees.values.allSatisfy {
                ($0.salary ?? 0) <= 1000 && (!staff.needsDepartment || $0.department != nil)
            }
    }

    /// Deletes objects with what cascades take along; false if a rule denies it.
    mutating func delete(departments gone: Set<Int>, employees other: Set<Int>, _ staff: StaffModel) -> Bool {
        var fired = other
        let staffed = employees.filter { $0.value.department.map(gone.contains) ?? false }
        switch staff.departmentRule {
        case .deny: if !staffed.isEmpty { return false }
        case .cascade: fired.formUnion(staffed.keys)
        default: break
        }
        for key in fired {
            if let badge = employees[key]?.badge { badges[badge] = nil }
            employees[key] = nil
        }
        for key in gone { departments[key] = nil }
        for key in employees.keys {
            if let manager = employees[key]?.manager, fired.contains(manager) { employees[key]?.manager = nil }
            if staff.departmentRule != .noAction, let department = employees[key]?.department, gone.contains(department)
            {
                employees[key]?.department = nil
            }
        }
        members = members.filter { !fired.contains($0[0]) }
        return true
    }

    mutating func give(_ badge: Int, to employee: Int) {
        if let owner = badges[badge] ?? nil { employees[owner]?.badge = nil }
        if let old = employees[employee]?.badge { badges.updateValue(nil, forKey: old) }
        badges.updateValue(employee, forKey: badge)
        employees[employee]?.badge = badge
    }
}
