import ImportMappings

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
        var friends: [Int] = []
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
        var friends = Missing.skip
        /// What becomes of a person that is there already.
        var match = MatchPolicy.update
        /// Whether lists join those that are there.
        var adds = false
        /// Whether nobody is without a team.
        var needsTeam = false
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

    /// Two friends, the lower number first.
    struct Pair: Hashable, Comparable {
        let first: Int
        let second: Int

        init(_ one: Int, _ other: Int) { (first, second) = (min(one, other), max(one, other)) }

        static func < (one: Pair, other: Pair) -> Bool { (one.first, one.second) < (other.first, other.second) }
    }

    private(set) var teams: [String: String?] = [:]
    private(set) var tags: Set<String> = []
    private(set) var sites: Set<Site> = []
    private(set) var people: [Int: StoredPerson] = [:]
    private(set) var friends: Set<Pair> = []
    /// Links that lead nowhere, of the records that are imported.
    private(set) var unresolved = 0
    private(set) var rejected = 0
    /// Links of the last import that were not there before, and those that are there no more.
    private(set) var related = 0
    private(set) var unrelated = 0

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
            func team(_ person: Person) -> String? { code(person).flatMap { teams[$0] == nil ? nil : $0 } }
            // Whose key is there already: what the record before it leaves behind is known when that is.
            var known = rules.match == .error ? Set(before.people.keys) : []
            let isNew = zip(records, isAccepted).map { record, isAccepted in
                isAccepted && (rules.match != .error || known.insert(record.number).inserted)
            }
            let accepted = zip(records, isNew).filter(\.1).map(\.0)
            // What there is in the end, before any link.
            var made: Set<Int> = []
            for person in accepted {
                if people[person.number] == nil { people[person.number] = StoredPerson() }
                let isMade = before.people[person.number] == nil && made.insert(person.number).inserted
                switch rules.match {
                case .update: people[person.number]?.name = person.name
                case .fill where !isMade:
                    let known = people[person.number]?.name
                    people[person.number]?.name = known ?? person.name
                default: if isMade { people[person.number]?.name = person.name }
                }
                if rules.team == .create, let team = person.team, teams[team] == nil { teams[team] = .some(nil) }
                if rules.site == .create, let site = Self.site(person) { sites.insert(site) }
                if rules.boss == .create, let boss = person.boss, people[boss] == nil { people[boss] = StoredPerson() }
                if rules.match != .skip || isMade {
                    if rules.tags == .create { tags.formUnion(person.tags) }
                    for friend in person.friends where rules.friends == .create && people[friend] == nil {
                        people[friend] = StoredPerson()
                    }
                }
            }
            // What names nothing there and must not.
            var isStable = true
            for (index, person) in records.enumerated() where isNew[index] {
                let isBad =
                    rules.team == .error && person.team != nil && team(person) == nil
                    || rules.needsTeam && team(person) == nil
                    || rules.site == .error && Self.site(person).map { !sites.contains($0) } ?? false
                    || rules.boss == .error && person.boss.map { people[$0] == nil } ?? false
                    || rules.tags == .error && !tags.isSuperset(of: person.tags)
                    || rules.friends == .error && person.friends.contains { people[$0] == nil }
                if isBad {
                    isAccepted[index] = false
                    isStable = false
                }
            }
            guard isStable else { continue }
            let found = Dictionary(
                accepted.compactMap { person in person.team.flatMap { name in team(person).map { (name, $0) } } },
                uniquingKeysWith: { first, _ in first })
            for (number, said) in Dictionary(grouping: accepted, by: \.number) {
                let isThere = before.people[number] != nil
                link(number, said, isThere: isThere, rules) { $0.team.flatMap { found[$0] } }
            }
            linkFriends(accepted, isThere: { before.people[$0] != nil }, rules)
            rejected = isNew.filter { !$0 }.count
            let (links, earlier) = (self.links, before.links)
            (related, unrelated) = (links.subtracting(earlier).count, earlier.subtracting(links).count)
            return
        }
    }

    /// Of the records of an object, those that count for one of its links, in order.
    private func counting(_ records: [Person], isThere: Bool, _ rules: Rules) -> [Person] {
        switch rules.match {
        case .update: records.suffix(1)
        case .fill: records
        case .skip, .error: isThere ? [] : Array(records.prefix(1))
        }
    }

    /// Gives an object the links that its records name.
    private mutating func link(
        _ number: Int, _ records: [Person], isThere: Bool, _ rules: Rules, team: (Person) -> String?
    ) {
        guard var person = people[number] else { return }
        let counting = counting(records, isThere: isThere, rules)
        let (sites, known, tags) = (sites, Set(people.keys), tags)
        var missing = 0
        func toOne<Value>(_ value: inout Value?, _ isNamed: (Person) -> Bool, _ find: (Person) -> Value?) {
            guard rules.match == .fill else {
                guard let record = counting.first else { return }
                value = find(record)
                if isNamed(record), value == nil { missing += 1 }
                return
            }
            guard value == nil else { return }
            value = counting.lazy.compactMap(find).first
            if value == nil, counting.contains(where: isNamed) { missing += 1 }
        }
        toOne(&person.team, { $0.team != nil }, team)
        toOne(&person.site, { Self.site($0) != nil }, { Self.site($0).flatMap { sites.contains($0) ? $0 : nil } })
        toOne(&person.boss, { $0.boss != nil }, { $0.boss.flatMap { known.contains($0) ? $0 : nil } })
        var lists = counting
        if rules.match == .fill {
            let filler = lists.first { !tags.isDisjoint(with: $0.tags) } ?? lists.last { !$0.tags.isEmpty }
            lists = person.tags.isEmpty ? filler.map { [$0] } ?? [] : []
        } else if rules.match == .update, rules.adds {
            lists = records
        } else if !lists.isEmpty {
            person.tags = []
        }
        for record in lists {
            person.tags.formUnion(tags.intersection(record.tags))
            missing += record.tags.count { !tags.contains($0) }
        }
        people[number] = person
        unresolved += missing
    }

    /// A pair stays where either of the two names the other.
    private mutating func linkFriends(_ records: [Person], isThere: (Int) -> Bool, _ rules: Rules) {
        var named: Set<Pair> = []
        var owners: Set<Int> = []
        for (number, records) in Dictionary(grouping: records, by: \.number) {
            let lists =
                rules.match == .update && rules.adds ? records : counting(records, isThere: isThere(number), rules)
            if !lists.isEmpty { owners.insert(number) }
            for friend in lists.flatMap(\.friends) {
                if people[friend] == nil { unresolved += 1 } else { named.insert(Pair(number, friend)) }
            }
        }
        if !rules.adds {
            friends = friends.filter { pair in
                named.contains(pair) || !owners.contains(pair.first) && !owners.contains(pair.second)
            }
        }
        friends.formUnion(named)
    }

    /// All links, a text each.
    private var links: Set<String> {
        var links = Set(friends.map { "\($0.first) knows \($0.second)" })
        for (number, person) in people {
            if let team = person.team { links.insert("\(number) is in \(team)") }
            if let site = person.site { links.insert("\(number) is at \(site)") }
            if let boss = person.boss { links.insert("\(number) obeys \(boss)") }
            for tag in person.tags { links.insert("\(number) has \(tag)") }
        }
        return links
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
            } + friends.sorted().map { "friends \($0.first)|\($0.second)" }
    }
}
