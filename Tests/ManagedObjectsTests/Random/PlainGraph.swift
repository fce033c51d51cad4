/// Objects with links as the rules say them, and nothing else: no slots, no faults, no store.
struct PlainGraph: Equatable {
    struct Thing: Equatable {
        let entity: String
        var number: Int
        var one: [String: Int] = [:]
        var many: [String: [Int]] = [:]
    }

    struct Link {
        let owner: String
        let name: String
        let isMany: Bool
        let destination: String
        /// The other side; of a relationship without inverse a name that no entity has.
        let inverse: String
        let isInverseMany: Bool
        var isCascade = false
        var isOrdered = false
        /// Whether it is a property, and not the other side of one without inverse.
        var isReal = true
    }

    static func links(ordered: Bool) -> [Link] {
        func link(
            _ owner: String, _ name: String, _ isMany: Bool, _ destination: String, _ inverse: String,
            _ isInverseMany: Bool
        ) -> Link {
            Link(
                owner: owner, name: name, isMany: isMany, destination: destination, inverse: inverse,
                isInverseMany: isInverseMany)
        }
        var all = [
            link("Department", "employees", true, "Employee", "department", false),
            link("Employee", "department", false, "Department", "employees", true),
            link("Employee", "manager", false, "Employee", "reports", true),
            link("Employee", "reports", true, "Employee", "manager", false),
            link("Employee", "badge", false, "Badge", "owner", false),
            link("Badge", "owner", false, "Employee", "badge", false),
            link("Employee", "projects", true, "Project", "members", true),
            link("Project", "members", true, "Employee", "projects", true),
            link("Project", "related", true, "Project", "related", true),
            link("Department", "notes", true, "Note", "(notes)", false),
            link("Note", "(notes)", false, "Department", "notes", true),
        ]
        for index in all.indices {
            all[index].isCascade = all[index].name == "badge"
            all[index].isOrdered = ordered && ["employees", "projects", "notes"].contains(all[index].name)
            all[index].isReal = all[index].name != "(notes)"
        }
        return all
    }

    /// By a number that stays, whatever the store calls the object.
    var things: [Int: Thing] = [:]
    let links: [Link]

    static func == (left: PlainGraph, right: PlainGraph) -> Bool { left.things == right.things }

    func links(of entity: String) -> [Link] { links.filter { $0.owner == entity } }
    func tags(of entity: String) -> [Int] { things.filter { $0.value.entity == entity }.map(\.key).sorted() }

    mutating func setOne(_ a: Int, _ link: Link, _ b: Int?) {
        let old = things[a]?.one[link.name]
        guard old != b else { return }
        if let old { drop(a, from: old, link) }
        if let b, !link.isInverseMany, let partner = things[b]?.one[link.inverse] {
            things[partner]?.one[link.name] = nil
        }
        things[a]?.one[link.name] = b
        guard let b else { return }
        if link.isInverseMany {
            things[b]?.many[link.inverse, default: []].append(a)
        } else {
            things[b]?.one[link.inverse] = a
        }
    }

    private mutating func drop(_ a: Int, from b: Int, _ link: Link) {
        if link.isInverseMany {
            things[b]?.many[link.inverse]?.removeAll { $0 == a }
        } else {
            things[b]?.one[link.inverse] = nil
        }
    }

    private func reverse(_ link: Link) -> Link? {
        links.first { $0.owner == link.destination && $0.name == link.inverse }
    }

    mutating func add(_ a: Int, _ link: Link, _ b: Int) {
        guard !(things[a]?.many[link.name] ?? []).contains(b) else { return }
        if link.isInverseMany {
            things[a]?.many[link.name, default: []].append(b)
            if !(a == b && link.name == link.inverse) { things[b]?.many[link.inverse, default: []].append(a) }
        } else if let back = reverse(link) {
            setOne(b, back, a)
        }
    }

    mutating func remove(_ a: Int, _ link: Link, _ b: Int) {
        guard (things[a]?.many[link.name] ?? []).contains(b) else { return }
        if link.isInverseMany {
            things[a]?.many[link.name]?.removeAll { $0 == b }
            if !(a == b && link.name == link.inverse) { things[b]?.many[link.inverse]?.removeAll { $0 == a } }
        } else if let back = reverse(link) {
            setOne(b, back, nil)
        }
    }

    mutating func move(_ a: Int, _ link: Link, _ b: Int, to index: Int) {
        add(a, link, b)
        things[a]?.many[link.name]?.removeAll { $0 == b }
        things[a]?.many[link.name]?.insert(b, at: index)
    }

    mutating func delete(_ tag: Int) {
        var waiting = [tag]
        while let next = waiting.popLast() {
            guard let thing = things[next] else { continue }
            for link in links(of: thing.entity) {
                let others = link.isMany ? thing.many[link.name] ?? [] : thing.one[link.name].map { [$0] } ?? []
                for other in others {
                    if link.isCascade { waiting.append(other) }
                    if link.isMany { remove(next, link, other) } else { setOne(next, link, nil) }
                }
            }
            things[next] = nil
        }
    }

    /// The content as lines that do not depend on keys: only ordered relationships have an order.
    var lines: [String] {
        things.map { tag, thing in
            var parts = ["\(thing.entity) \(tag): \(thing.number)"]
            for link in links(of: thing.entity) where link.isReal {
                if link.isMany {
                    let others = thing.many[link.name] ?? []
                    parts.append("\(link.name)=\(link.isOrdered ? others : others.sorted())")
                } else if let other = thing.one[link.name] {
                    parts.append("\(link.name)=\(other)")
                }
            }
            return parts.joined(separator: " ")
        }.sorted()
    }
}
