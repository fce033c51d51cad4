import ManagedObjectModels

/// Relationships and their inverses (docs/format/swiftdata.md#relationships).
extension ModelDerivation {
    mutating func addRelationship(
        _ property: SwiftProperty, of type: SwiftTypeDeclaration, to entity: inout EntityDescription,
        _ description: RelationshipDescription
    ) {
        var relationship = description
        var inverse: String?
        var doubts: [String] = []
        let plain = relationship
        if let attribute = property.attribute("Relationship") {
            for argument in SwiftArguments(attribute.arguments).arguments {
                switch argument.label {
                case "deleteRule":
                    switch argument.value.split(separator: ".").last {
                    case "cascade"?: relationship.deleteRule = .cascade
                    case "nullify"?: relationship.deleteRule = .nullify
                    case "deny"?: relationship.deleteRule = .deny
                    case "noAction"?: relationship.deleteRule = .noAction
                    default:
                        note(
                            "the delete rule \(argument.value.prefix(60)) is not known", type.name, property.name,
                            at: attribute.place)
                    }
                case "inverse":
                    if argument.value == "nil" { continue }
                    inverse = SwiftArguments.keyPath(argument.value)?.last
                    if inverse == nil {
                        note(
                            "the inverse is not a key path: \(argument.value.prefix(60))", type.name, property.name,
                            at: attribute.place)
                    }
                case "minimumModelCount", "maximumModelCount":
                    guard let count = SwiftLiteral.integer(argument.value), let number = Int(exactly: count) else {
                        if argument.value != "nil" {
                            note(
                                "the count \(argument.value.prefix(60)) is not a number", type.name, property.name,
                                at: attribute.place)
                        }
                        continue
                    }
                    let isMinimum = argument.label == "minimumModelCount"
                    if isMinimum { relationship.minimumCount = number } else { relationship.maximumCount = number }
                    let doubt = "how counts of models enter the hash is known by analogy only"
                    if !doubts.contains(doubt) { doubts.append(doubt) }
                case "originalName":
                    relationship.renamingIdentifier = text(
                        argument.value, of: "originalName", property, type, attribute)
                case "hashModifier":
                    relationship.versionHashModifier = text(
                        argument.value, of: "hashModifier", property, type, attribute)
                    doubts.append("a hash modifier in SwiftData is known by analogy only")
                case nil where argument.value.hasSuffix(".unique"):
                    entity.uniquenessConstraints.append([property.name])
                    result.remarks.append(
                        SwiftDataProblem(
                            message:
                                "that @Relationship(.unique) makes a uniqueness constraint is known by analogy only",
                            entity: type.name, property: property.name, place: attribute.place))
                default:
                    note(
                        "@Relationship has an argument that is not known: \(argument.label ?? argument.value)",
                        type.name, property.name, at: attribute.place)
                }
            }
        }
        if let attribute = property.attribute("Attribute") {
            for argument in SwiftArguments(attribute.arguments).arguments {
                switch argument.label {
                case "originalName":
                    relationship.renamingIdentifier = text(
                        argument.value, of: "originalName", property, type, attribute)
                case nil where argument.value.hasSuffix(".unique"):
                    entity.uniquenessConstraints.append([property.name])
                default:
                    note(
                        "what @Attribute means for a relationship is not established", type.name, property.name,
                        at: attribute.place)
                }
            }
        }
        if !doubts.isEmpty {
            let question = SwiftDataQuestion(
                entity: type.name, property: property.name, reason: doubts.joined(separator: "; "),
                answers: [
                    .init(label: "as declared", property: .relationship(relationship)),
                    .init(label: "without effect", property: .relationship(plain)),
                ])
            if case .relationship(let answered)? = ask(question, at: property.place) { relationship = answered }
        }
        entity.relationships.append(relationship)
        relationships.append(
            RelationshipDerivation(
                entity: type.name, name: property.name, destination: relationship.destinationEntityName,
                place: property.place, isAnnotated: property.attribute("Relationship") != nil, namedInverse: inverse))
    }

    /// Sets the inverses: first explicit ones on both sides, then those of unambiguous plain pairs.
    mutating func pairRelationships() {
        var places: [String: Int] = [:]
        for (index, relationship) in relationships.enumerated() {
            places["\(relationship.entity).\(relationship.name)"] = index
        }
        var inverses: [Int: Int] = [:]
        for (index, relationship) in relationships.enumerated() {
            guard let name = relationship.namedInverse else { continue }
            // A superclass of the destination may declare the inverse.
            guard let other = place(of: name, in: relationship.destination, places) else {
                note(
                    "\(relationship.destination) has no relationship \(name), which is named as the inverse",
                    relationship.entity, relationship.name, at: relationship.place)
                continue
            }
            if let known = inverses[other], known != index {
                note(
                    "its inverse \(relationships[other].entity).\(name) is that of "
                        + "\(relationships[known].entity).\(relationships[known].name) already",
                    relationship.entity, relationship.name, at: relationship.place)
                continue
            }
            inverses[index] = other
            if inverses[other] == nil { inverses[other] = index }
        }
        infer(&inverses)
        for (index, other) in inverses {
            let name = relationships[other].name
            update(relationships[index]) { $0.inverseName = name }
        }
    }

    private func place(of name: String, in entity: String, _ places: [String: Int]) -> Int? {
        var next: String? = entity
        for _ in 0..<64 {
            guard let current = next else { return nil }
            if let place = places["\(current).\(name)"] { return place }
            next = result.model.entity(named: current)?.superentityName
        }
        return nil
    }

    private mutating func update(
        _ relationship: RelationshipDerivation, _ change: (inout RelationshipDescription) -> Void
    ) {
        guard let entity = result.model.entities.firstIndex(where: { $0.name == relationship.entity }),
            let place = result.model.entities[entity].relationships.firstIndex(where: { $0.name == relationship.name })
        else { return }
        change(&result.model.entities[entity].relationships[place])
    }

    /// Infers inverses: SwiftData pairs two plain properties that are the only candidates for each other.
    private mutating func infer(_ inverses: inout [Int: Int]) {
        var free: [String: [Int]] = [:]
        for (index, relationship) in relationships.enumerated()
        where !relationship.isAnnotated && inverses[index] == nil {
            free["\(relationship.entity)>\(relationship.destination)", default: []].append(index)
        }
        for (key, own) in free.sorted(by: { $0.key < $1.key }) {
            guard let first = own.first else { continue }
            let relationship = relationships[first]
            guard relationship.entity <= relationship.destination else { continue }
            let isSelf = relationship.entity == relationship.destination
            let others = isSelf ? own : free["\(relationship.destination)>\(relationship.entity)"] ?? []
            if others.isEmpty || isSelf && own.count == 1 { continue }
            if !isSelf, own.count == 1, others.count == 1 {
                inverses[first] = others[0]
                inverses[others[0]] = first
                let other = relationships[others[0]]
                result.remarks.append(
                    SwiftDataProblem(
                        message: "its inverse is taken to be \(other.entity).\(other.name), the only candidate, as "
                            + "SwiftData does; write @Relationship(inverse:) to make it certain",
                        entity: relationship.entity, property: relationship.name, place: relationship.place))
                continue
            }
            _ = key
            askInverses(own, others)
            if !isSelf { askInverses(others, own) }
        }
    }

    /// Records questions for several candidates: it is uncertain which of them SwiftData pairs, if any.
    private mutating func askInverses(_ own: [Int], _ others: [Int]) {
        for index in own {
            let relationship = relationships[index]
            guard
                let description = result.model.entity(named: relationship.entity)?.relationships.first(where: {
                    $0.name == relationship.name
                })
            else { continue }
            let candidates = others.filter { $0 != index }.map { relationships[$0].name }
            guard !candidates.isEmpty else { continue }
            let answers = [nil] + candidates.map { Optional($0) }
            result.questions.append(
                SwiftDataQuestion(
                    entity: relationship.entity, property: relationship.name,
                    reason: "which inverse SwiftData gives it, if any, is not established: "
                        + candidates.joined(separator: ", ") + "; write @Relationship(inverse:)",
                    answers: answers.map { name in
                        var changed = description
                        changed.inverseName = name
                        return .init(
                            label: name.map { "inverse \($0)" } ?? "no inverse", property: .relationship(changed))
                    }))
        }
    }
}
