import GeneratedStores
import StoreEditing
import TestSupport
import Testing

/// Random merges, held against a merge of plain values.
@Suite struct RandomMergeTests {
    private struct Choice {
        var limit = 0
        var follows: [String] = []
        var cascades = false
        var keys: [String: [String]] = [:]
        var updates = false
    }

    @Test(arguments: RandomNumbers.seeds(24))
    func theStoreIsAsThePlainModel(number: Int) throws {
        var numbers = RandomNumbers(seed: UInt64(number + 1))
        let staff = StaffModel(ordered: number % 3 == 0)
        for round in 1...6 {
            var plain = Self.content(&numbers)
            let store = try TemporaryStore(
                staff.model, rows: plain.sql + Self.members(plain), keepsHistory: number % 2 == 0)
            plain.lastEmployee = plain.employees.keys.max() ?? 0
            #expect(try PlainStaff(store) == plain)
            let other = Self.content(&numbers)
            let source = try TemporaryStore(staff.model, rows: other.sql + Self.members(other))
            var choice = Choice()
            choice.limit = Int.random(in: 0...100, using: &numbers)
            choice.follows = ["department", "projects"].filter { _ in Bool.random(using: &numbers) }
            choice.cascades = Bool.random(using: &numbers)
            choice.updates = Bool.random(using: &numbers)
            for entity in ["Badge", "Project"] where Bool.random(using: &numbers) { choice.keys[entity] = ["number"] }
            let report = try store.merge("Employee", from: source) {
                $0.predicate = "salary < \(choice.limit)"
                $0.followedPaths = choice.follows
                $0.cascades = choice.cascades
                $0.keys = choice.keys
                $0.onMatch = choice.updates ? .update : .skip
            }
            #expect(report.isValid, "\(number), \(round): \(report)")
            Self.merge(other, into: &plain, choice)
            #expect(try PlainStaff(store) == plain, "\(number), \(round): \(choice)")
        }
    }

    private static func content(_ numbers: inout RandomNumbers) -> PlainStaff {
        var plain = PlainStaff()
        for key in 1...3 { plain.departments[key] = (key + Int.random(in: 0...2, using: &numbers) * 10) }
        for key in 1...9 {
            plain.employees[key] = .init(
                salary: Int.random(in: 1...100, using: &numbers),
                department: Bool.random(using: &numbers) ? Int.random(in: 1...3, using: &numbers) : nil,
                manager: key == 1 ? nil : Int.random(in: 1..<key, using: &numbers), badge: nil)
        }
        // The numbers of badges and projects are their keys.
        for key in 1...5 { plain.badges.updateValue(nil, forKey: key) }
        for key in 1...5 where Bool.random(using: &numbers) { plain.give(key, to: key) }
        plain.projects = [1, 2, 3]
        for employee in 1...9 {
            for project in 1...3 where Int.random(in: 0...2, using: &numbers) == 0 {
                plain.members.insert([employee, project])
            }
        }
        return plain
    }

    private static func members(_ plain: PlainStaff) -> String {
        plain.members.map { "INSERT INTO Z_3PROJECTS (Z_3MEMBERS, Z_4PROJECTS) VALUES (\($0[0]), \($0[1]));" }.joined()
    }

    // MARK: The rules in plain Swift

    /// The numbers of the destination's badges and projects by key: new ones have the source's.
    private static func merge(_ source: PlainStaff, into plain: inout PlainStaff, _ choice: Choice) {
        let chosen = source.employees.filter { ($0.value.salary ?? .max) < choice.limit }.keys.sorted()
        var employees: [Int: Int] = [:]
        for key in chosen {
            plain.lastEmployee += 1
            employees[key] = plain.lastEmployee
            plain.employees[plain.lastEmployee] = .init(
                salary: source.employees[key]?.salary, department: nil, manager: nil, badge: nil)
        }
        let old = plain
        // Departments have a key in any case.
        var departments: [Int: Int] = [:]
        for key in Set(chosen.compactMap { source.employees[$0]?.department }).sorted() {
            let code = source.departments[key] ?? 0
            if let match = old.departments.first(where: { $0.value == code }) {
                departments[key] = match.key
            } else if choice.follows.contains("department") {
                let new = (plain.departments.keys.max() ?? 0) + 1
                plain.departments[new] = code
                departments[key] = new
            }
        }
        for key in chosen {
            guard let employee = source.employees[key], let new = employees[key] else { continue }
            plain.employees[new]?.department = employee.department.flatMap { departments[$0] }
            plain.employees[new]?.manager = employee.manager.flatMap { employees[$0] }
        }
        mergeBadges(source, into: &plain, employees, choice)
        mergeProjects(source, into: &plain, employees, choice)
    }

    private static func mergeBadges(
        _ source: PlainStaff, into plain: inout PlainStaff, _ employees: [Int: Int], _ choice: Choice
    ) {
        let before = plain.badges
        for (badge, owner) in source.badges.sorted(by: { $0.key < $1.key }) {
            guard let owner, let employee = employees[owner] else { continue }
            // Without a key a badge is always new; the store's own are those of the first content.
            let match = choice.keys["Badge"] != nil && before[badge] != nil ? badge : nil
            if let match {
                let isUpdated = choice.cascades && choice.updates
                if isUpdated || (before[match] ?? nil) == nil { plain.give(match, to: employee) }
            } else if choice.cascades {
                let new = (plain.badges.keys.max() ?? 0) + 1
                plain.badges.updateValue(nil, forKey: new)
                plain.give(new, to: employee)
            }
        }
    }

    private static func mergeProjects(
        _ source: PlainStaff, into plain: inout PlainStaff, _ employees: [Int: Int], _ choice: Choice
    ) {
        let before = plain.projects
        let linked = source.members.filter { employees[$0[0]] != nil }
        var projects: [Int: Int] = [:]
        for key in Set(linked.map { $0[1] }).sorted() {
            if choice.keys["Project"] != nil, before.contains(key) {
                projects[key] = key
            } else if choice.follows.contains("projects") {
                let new = (plain.projects.max() ?? 0) + 1
                plain.projects.insert(new)
                projects[key] = new
            }
        }
        for pair in linked {
            guard let employee = employees[pair[0]], let project = projects[pair[1]] else { continue }
            plain.members.insert([employee, project])
        }
    }
}
