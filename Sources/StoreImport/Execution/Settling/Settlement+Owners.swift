import ImportMappings
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The owners of objects in one-to-many relationships with lists, after records were revoked: each object gets the
/// owner that the remaining records give to it, applied in their order.
extension Settlement {
    /// Notes the objects that may get other owners, because a record is about to be revoked.
    func noteOwned(by record: Int64) throws {
        guard let unproven else { return }
        let objects = try unproven.said.objects(of: record)
        for (relationship, root) in ownedLists {
            guard let replacement = relationship.replacement else { continue }
            try replacement.noteOwned(by: record)
            for object in objects where object.root == root { try replacement.noteOwned(object.object) }
        }
    }

    /// Notes the object of a link that is written again, because links of later records may have been written before.
    func noteOwned(_ link: PendingLink, leadingTo destination: Int64) throws {
        let relationship = relationship(of: link)
        if !link.isToOne { try keepOwner(of: destination, relationship) }
        guard unproven?.hasFollowedLostLinks ?? false else { return }
        let key =
            link.isToOne ? relationship.compiled.relationship.inverse?.key : relationship.compiled.relationship.key
        for (list, _) in ownedLists where list.compiled.relationship.key == key {
            try list.replacement?.noteOwned(link.isToOne ? link.owner : destination)
        }
    }

    /// Stores the owner that an object had before the import, before a list gives it another one.
    func keepOwner(of object: Int64, _ list: RelationshipImport) throws {
        guard unproven != nil, let place = list.replacement?.place, place.kind == .foreignKey else { return }
        _ = try firstOwner(of: object, list, place)
    }

    private func firstOwner(of object: Int64, _ list: RelationshipImport, _ place: LinkPlace) throws -> Int64? {
        let root = layout.model.entities[list.compiled.relationship.destination].root
        guard object < session.keys.firstNewKey(inTableOf: root) else { return nil }
        let current = try connection.cells(place.table, object, [place.owner]).first?.integer
        let number = list.compiled.relationship.inverse.flatMap { links.number(of: $0.key) } ?? list.number
        let first = try linkStage.firstDestinations.destination(of: object, number, current: current ?? 0)
        return first == 0 ? nil : first
    }

    /// The lists of one-to-many relationships, each once, with the roots of their objects.
    private var ownedLists: [(list: RelationshipImport, root: Int)] {
        var found: [(list: RelationshipImport, root: Int)] = []
        for relationship in entities.flatMap(\.relationships) {
            guard let replacement = relationship.replacement, replacement.place.kind == .foreignKey,
                !found.contains(where: { $0.list.replacement === replacement })
            else { continue }
            found.append((relationship, layout.model.entities[relationship.compiled.relationship.destination].root))
        }
        return found
    }

    /// Determines the owners of the noted objects.
    func settleOwners() throws {
        guard unproven != nil else { return }
        for (list, root) in ownedLists {
            guard let replacement = list.replacement else { continue }
            while true {
                let objects = try replacement.takeOwned(upTo: options.fixedLimits.namedLinks)
                if objects.isEmpty { break }
                var changed = Set<Int64>()
                for object in objects {
                    if let owner = try settleOwner(of: object, root, list, replacement) { changed.insert(owner) }
                }
                guard replacement.place.order != nil else { continue }
                for owner in changed.sorted() {
                    try replacement.order(owner) { object in
                        try sayings(of: object, root, list, replacement).last?.isToOne ?? false
                    }
                }
                places.forgetAll()
            }
        }
    }

    /// The owner that a record gives to an object.
    private struct Saying {
        let record: Int64
        /// nil if the record takes the object from its owner.
        let owner: Int64?
        let fills: Bool
        let isToOne: Bool
    }

    /// Returns the owners that records give to an object, in the order of the records.
    private func sayings(
        of object: Int64, _ root: Int, _ list: RelationshipImport, _ replacement: LinkReplacement
    ) throws -> [Saying] {
        let column = replacement.place.owner
        var sayings: [Saying] = []
        for recorded in try unproven?.said.all(of: object, root: root) ?? [] {
            guard let cell = recorded.cells.first(where: { $0.column == column }),
                cell.isSaid || recorded.outcome == nil && cell.value != .null
            else { continue }
            sayings.append(
                Saying(
                    record: recorded.record, owner: cell.value.integer, fills: recorded.policy == .fill, isToOne: true))
        }
        for (record, owner) in try replacement.allNamers(of: object)
        where !sayings.contains(where: { $0.record == record && $0.owner == owner }) {
            let source = session.source(of: record)
            let key = list.compiled.relationship.key
            let fills = source.entities.contains { entity in
                entity.object.onMatch == .fill
                    && entity.relationships.contains { $0.compiled.relationship.key == key }
            }
            sayings.append(Saying(record: record, owner: owner, fills: fills, isToOne: false))
        }
        sayings.sort { $0.record < $1.record }
        // If only this mapping sets the links, and names the objects by key, lists that later lists of their owner
        // replace are ignored.
        guard !list.isShared, list.compiled.isKeyed else { return sayings }
        return try sayings.filter { saying in
            try saying.owner.map { try replacement.lastRecord(of: $0) ?? 0 <= saying.record } ?? true
        }
    }

    /// Determines the owner of an object.
    ///
    /// - Returns: the new owner; nil if the owner has not changed or there is none.
    @_optimize(size)
    private func settleOwner(
        of object: Int64, _ root: Int, _ list: RelationshipImport, _ replacement: LinkReplacement
    ) throws -> Int64? {
        let place = replacement.place
        guard
            let row = try connection.rows(
                "SELECT \(place.owner) FROM \(place.table) WHERE Z_PK = ?", [.integer(object)]
            ).first
        else { return nil }
        let before = row[0].integer
        var owner = try firstOwner(of: object, list, place)
        var last: Int64 = 0
        for saying in try sayings(of: object, root, list, replacement) {
            if let known = owner, try replacement.isReplaced(known, after: last, before: saying.record) { owner = nil }
            if saying.fills, owner != nil || saying.owner == nil { continue }
            (owner, last) = (saying.owner, saying.record)
        }
        if let known = owner, try replacement.isReplaced(known, after: last, before: .max) { owner = nil }
        var entity: Int64?
        if let known = owner {
            let owners = layout.table(ofEntity: list.compiled.relationship.owner).map {
                SQLiteIdentifier.quoted($0.name)
            }
            entity = try owners.flatMap { try connection.cells($0, known, ["Z_ENT"]).first?.integer }
            if entity == nil { owner = nil }
        }
        guard owner != before else { return nil }
        var values = [(place.owner, owner)]
        if let column = place.entity { values.append((column, entity)) }
        if let column = place.order { values.append((column, nil)) }
        try connection.execute(
            "UPDATE \(place.table) SET \(values.map { "\($0.0) = ?" }.joined(separator: ", ")), "
                + "\(ObjectVersion.raised()) WHERE Z_PK = ?",
            values.map { $0.1.map { .integer($0) } ?? .null } + [.integer(object)])
        if let inverse = list.compiled.relationship.inverse, let number = links.number(of: inverse.key) {
            try linkCounts.countToOne(
                linkCounts.owner(object, number, else: inverse.owner), from: before ?? 0, to: owner ?? 0)
        }
        return owner
    }
}
