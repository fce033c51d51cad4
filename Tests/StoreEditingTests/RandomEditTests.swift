import GeneratedStores
import ManagedObjectModels
@testable import StoreEditing
import TestSupport
import Testing

/// Random steps, held against the same steps over plain values.
@Suite struct RandomEditTests {
    private static let rules: [DeleteRule] = [.nullify, .cascade, .deny, .noAction]

    @Test(arguments: RandomNumbers.seeds(24))
    func theStoreIsAsThePlainModel(number: Int) throws {
        let seed = UInt64(number + 1)
        var numbers = RandomNumbers(seed: seed)
        let staff = StaffModel(
            departmentRule: Self.rules[Int(seed % 4)], needsDepartment: seed % 3 == 0, ordered: seed % 5 == 0)
        var plain = Self.content(&numbers)
        let store = try TemporaryStore(staff.model, rows: plain.sql, keepsHistory: seed % 2 == 0)
        plain.lastEmployee = plain.employees.keys.max() ?? 0
        #expect(try PlainStaff(store) == plain)
        var options = StoreEditor.Options()
        options.fixedLimits.rules = [1, 2, 3, 7, 400][Int(seed % 5)]
        var refused = 0
        for round in 1...40 {
            // One save of one to three steps.
            var next = plain
            var steps: [EditStep] = []
            var isAllowed = true
            for _ in 0..<Int.random(in: 1...3, using: &numbers) where isAllowed {
                isAllowed = Self.change(&next, &steps, staff, &numbers)
            }
            let report = try StoreEditor(path: store.path, model: store.model, options: options).run(steps)
            let isValid = isAllowed && next.isValid(staff)
            #expect(report.isValid == isValid, "\(seed), \(round): \(steps) \(report)")
            if isValid { plain = next } else { refused += 1 }
            #expect(try PlainStaff(store) == plain, "\(seed), \(round): \(steps)")
        }
        #expect(refused < 40)
    }

    private static func content(_ numbers: inout RandomNumbers) -> PlainStaff {
        var plain = PlainStaff()
        for key in 1...4 { plain.departments[key] = key * 10 }
        for key in 1...12 {
            plain.employees[key] = .init(
                salary: Int.random(in: 1...100, using: &numbers), department: Int.random(in: 1...4, using: &numbers),
                manager: key == 1 ? nil : Int.random(in: 1..<key, using: &numbers), badge: nil)
        }
        for key in 1...6 { plain.badges.updateValue(nil, forKey: key) }
        for key in 1...4 { plain.give(key, to: key) }
        plain.projects = [1, 2, 3]
        return plain
    }

    /// Makes a step and its effect; false if a delete rule denies it.
    private static func change(
        _ plain: inout PlainStaff, _ steps: inout [EditStep], _ staff: StaffModel, _ numbers: inout RandomNumbers
    ) -> Bool {
        let limit = Int.random(in: 1...200, using: &numbers)
        let below = plain.employees.filter { ($0.value.salary ?? .max) < limit }.keys
        let employee = Int.random(in: 1...14, using: &numbers)
        let isOne = plain.employees[employee] != nil
        let one = "SELF = \"x-coredata://\(TemporaryStore.uuid)/Employee/p\(employee)\""
        let department = plain.departments.keys.sorted().randomElement(using: &numbers)
        let code = department.flatMap { plain.departments[$0] } ?? 0
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0:
            steps.append(.update("Employee", where: "salary < \(limit)", set: [EditAssignment("salary", "salary * 3")]))
            for key in below {
                let salary = plain.employees[key]?.salary
                plain.employees[key]?.salary = salary.map { $0 * 3 }
            }
        case 1:
            steps.append(
                .update("Employee", where: "salary < \(limit)", set: [EditAssignment("salary", "manager.salary + 1")]))
            let old = plain.employees
            for key in below {
                plain.employees[key]?.salary = old[key]?.manager.flatMap { old[$0]?.salary }.map { $0 + 1 }
            }
        case 2:
            steps.append(
                .update("Department", where: "code < \(limit / 4)", set: [EditAssignment("code", "code + 10")]))
            for (key, code) in plain.departments where code < limit / 4 { plain.departments[key] = code + 10 }
        case 3 where department != nil:
            steps.append(.delete("Department", where: "code = \(code)"))
            let gone = Set(plain.departments.filter { $0.value == code }.keys)
            return plain.delete(departments: gone, employees: [], staff)
        case 4 where isOne:
            steps.append(.delete("Employee", where: one))
            return plain.delete(departments: [], employees: [employee], staff)
        case 5 where department != nil && plain.departments.values.filter { $0 == code }.count == 1:
            steps.append(
                .insert(
                    "Employee", set: [EditAssignment("salary", "\(limit) + 1")],
                    link: [EditLink("department", to: "code = \(code)")]))
            plain.lastEmployee += 1
            plain.employees[plain.lastEmployee] = .init(salary: limit + 1, department: department)
        case 6 where department != nil && plain.departments.values.filter { $0 == code }.count == 1:
            let isForward = Bool.random(using: &numbers)
            steps.append(
                isForward
                    ? .relate("Employee", relationship: "department", where: "salary < \(limit)", to: "code = \(code)")
                    : .relate("Department", relationship: "employees", where: "code = \(code)", to: "salary < \(limit)")
            )
            for key in below { plain.employees[key]?.department = department }
        case 7 where isOne:
            guard let badge = plain.badges.keys.sorted().randomElement(using: &numbers) else { return true }
            let isForward = Bool.random(using: &numbers)
            steps.append(
                isForward
                    ? .relate("Employee", relationship: "badge", where: one, to: "number = \(badge)")
                    : .relate("Badge", relationship: "owner", where: "number = \(badge)", to: one))
            plain.give(badge, to: employee)
        case 8:
            let project = Int.random(in: 1...3, using: &numbers)
            steps.append(
                .relate("Employee", relationship: "projects", where: "salary < \(limit)", to: "number >= \(project)"))
            for key in below { for number in project...3 { plain.members.insert([key, number]) } }
        default:
            let project = Int.random(in: 1...3, using: &numbers)
            steps.append(
                .unrelate("Project", relationship: "members", where: "number = \(project)", to: "salary < \(limit)"))
            plain.members = plain.members.filter { $0[1] != project || !below.contains($0[0]) }
        }
        return true
    }
}
