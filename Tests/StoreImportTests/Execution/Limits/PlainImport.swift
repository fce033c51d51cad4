/// What an import must come to, told plainly: sets of objects in memory, no batches, no store.
struct PlainImport {
    enum Missing: String, CaseIterable {
        case skip, create, error
    }

    struct Site: Hashable, Comparable {
        var code: String
        var number: Int

        static func < (one: Site, other: Site) -> Bool { (one.code, one.number) < (other.code, other.number) }
    }

    /// A line of the people's file; nil is an empty field.
    struct Person {
        var number: Int
        var name: String?
        var team: String?
        var site: (code: String?, number: Int?)
        var boss: Int?
        var tags: [String]
    }

    /// A line of the teams' file.
    struct Team {
        /// What the people's file calls it, where that is not an attribute.
        var id: Int
        var code: String
        var title: String?
    }

    struct Rules {
        var team = Missing.skip
        var site = Missing.skip
        var boss = Missing.skip
        var tags = Missing.skip
        /// Whether the people's file has the ids of teams instead of their codes.
        var namesTeamsByID = false
    }

    /// An object with what it is linked with.
    struct StoredPerson {
        var name: String?
        var team: String?
        var site: Site?
        var boss: Int?
        var tags: Set<String> = []
    }

    private(set) var teams: [String: String?] = [:]
    private(set) var tags: Set<String> = []
    private(set) var sites: Set<Site> = []
    private(set) var people: [Int: StoredPerson] = [:]
    /// Links that lead nowhere, of the records that are imported.
    private(set) var unresolved = 0
    private(set) var rejected = 0

    /// Imports the records of both files.
    mutating func run(_ teamRecords: [Team], _ records: [Person], _ rules: Rules) {
        let before = self
        var isAccepted = [Bool](repeating: true, count: records.count)
        while true {
            self = before
            unresolved = 0
            var codes: [Int: String] = [:]
            for team in teamRecords {
                teams[team.code] = .some(team.title)
                if codes[team.id] == nil { codes[team.id] = team.code }
            }
            func code(_ person: Person) -> String? {
                guard rules.namesTeamsByID else { return person.team }
                return person.team.flatMap { Int($0) }.flatMap { codes[$0] }
            }
            let accepted = zip(records, isAccepted).filter(\.1).map(\.0)
            // What there is in the end, before any link.
            for person in accepted {
                people[person.number, default: StoredPerson()].name = person.name
                if rules.team == .create, let team = person.team, teams[team] == nil { teams[team] = .some(nil) }
                if rules.site == .create, let site = Self.site(person) { sites.insert(site) }
                if rules.boss == .create, let boss = person.boss, people[boss] == nil { people[boss] = StoredPerson() }
                if rules.tags == .create { tags.formUnion(person.tags) }
            }
            // What names nothing there and must not.
            var isStable = true
            for (index, person) in records.enumerated() where isAccepted[index] {
                let isBad =
                    rules.team == .error && person.team != nil && code(person).flatMap { teams[$0] } == nil
                    || rules.site == .error && Self.site(person).map { !sites.contains($0) } ?? false
                    || rules.boss == .error && person.boss.map { people[$0] == nil } ?? false
                    || rules.tags == .error && !tags.isSuperset(of: person.tags)
                if isBad {
                    isAccepted[index] = false
                    isStable = false
                }
            }
            guard isStable else { continue }
            // The last record of an object counts; each may name what is nowhere.
            for person in accepted {
                let team = code(person).flatMap { teams[$0] == nil ? nil : $0 }
                let site = Self.site(person).flatMap { sites.contains($0) ? $0 : nil }
                let boss = person.boss.flatMap { people[$0] == nil ? nil : $0 }
                let linked = tags.intersection(person.tags)
                people[person.number]?.team = team
                people[person.number]?.site = site
                people[person.number]?.boss = boss
                people[person.number]?.tags = linked
            }
            rejected = isAccepted.filter { !$0 }.count
            return
        }
    }

    /// nil if a part of the key is missing.
    private static func site(_ person: Person) -> Site? {
        guard let code = person.site.code, let number = person.site.number else { return nil }
        return Site(code: code, number: number)
    }

    /// All objects with their links, a line each.
    var lines: [String] {
        func text(_ value: Any?) -> String { value.map { "\($0)" } ?? "NULL" }
        return teams.sorted { $0.key < $1.key }.map { "team \($0.key)|\(text($0.value))" }
            + tags.sorted().map { "tag \($0)" } + sites.sorted().map { "site \($0.code)|\($0.number)" }
            + people.sorted { $0.key < $1.key }.map { number, person in
                let site = person.site.map { "\($0.code)|\($0.number)" } ?? "NULL|NULL"
                return "person \(number)|\(text(person.name))|\(text(person.team))|\(site)|\(text(person.boss))|"
                    + person.tags.sorted().joined(separator: ",")
            }
    }
}
