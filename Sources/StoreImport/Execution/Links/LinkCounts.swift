import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// An object with one of its to-one relationships.
struct ToOneOwner {
    /// The number of the relationship.
    let link: Int64
    let key: Int64
    /// The slot of the entity for which the link is counted.
    let slot: Int
}

/// The counter of links that exist after the import and did not exist before, and of those that existed before and no
/// longer exist (docs/importing.md#the-counts).
final class LinkCounts {
    private let connection: Connection
    private let layout: StoreLayout
    private let keys: PrimaryKeyAllocator
    private let links: MappedLinks
    private let entities: [EntityImport]
    private let places: OrderedPlaces
    private let firstDestinations: FirstDestinations
    private let tally: ImportTally
    /// The numbers of relationships that mappings of both an entity and its subentity contain. Their links are counted
    /// for the entity of the object.
    private let sharedLinks: Set<Int64>

    /// - Parameter session: the session, whose mappings have been prepared.
    init(_ session: ImportSession) {
        connection = session.connection
        layout = session.layout
        keys = session.keys
        links = session.links
        entities = session.entities
        places = session.places
        firstDestinations = session.linkStage.firstDestinations
        tally = session.tally
        sharedLinks = Self.sharedLinks(session.entities, session.layout.model)
    }

    /// Adds a number to one of the counts of an entity.
    func count(_ kind: RecordCount.Kind, _ number: Int64, in slot: Int) {
        guard number != 0 else { return }
        let name = layout.model.entities[slot].name
        tally[name].subtract(
            RecordCount(slot: slot, kind: kind, number: -number))
    }

    private static func sharedLinks(_ entities: [EntityImport], _ model: ResolvedModel) -> Set<Int64> {
        var slots: [Int64: Set<Int>] = [:]
        for entity in entities {
            for relationship in entity.relationships {
                slots[relationship.number, default: []].insert(entity.object.slot)
            }
        }
        let shared = slots.filter { _, slots in
            slots.contains { one in slots.contains { $0 != one && model.isKind($0, of: one) } }
        }
        return Set(shared.keys)
    }

    /// Counts that a to-one relationship has changed its destination; 0 means that there is no destination. The object
    /// loses its position among the objects of the old destination.
    func countToOne(_ owner: ToOneOwner, from old: Int64, to new: Int64) throws {
        guard old != new else { return }
        if old != 0 { try places.arrivals(of: owner.link)?.leave(owner.key, from: old) }
        let isNew = owner.key >= keys.firstNewKey(inTableOf: links[owner.link].root)
        let isShared = sharedLinks.contains(owner.link)
        let slot = isShared ? try self.owner(owner.key, owner.link, else: owner.slot).slot : owner.slot
        let first = isNew ? 0 : try firstDestinations.destination(of: owner.key, owner.link, current: old)
        func isAdded(_ destination: Int64) -> Int64 { destination != 0 && destination != first ? 1 : 0 }
        func isEnded(_ destination: Int64) -> Int64 { first != 0 && destination != first ? 1 : 0 }
        count(.related, isAdded(new) - isAdded(old), in: slot)
        count(.unrelated, isEnded(new) - isEnded(old), in: slot)
    }

    /// Counts the to-one links of objects that have just been inserted.
    func countToOnes(_ current: ObjectInstances, of entity: EntityImport) {
        for position in entity.object.toOnes.indices where entity.object.toOnes[position].column != nil {
            count(.related, current.newLinkCount(position), in: entity.object.slot)
        }
    }

    /// Runs a closure that changes an object, and counts the to-one links that it changes.
    func countingToOnes<Result>(
        _ changes: Set<Int>, of primaryKey: Int64, _ entity: EntityImport, _ body: () throws -> Result
    ) throws -> Result {
        let positions = changes.sorted().map { $0 - entity.object.attributes.count }.filter { $0 >= 0 }
        let relationships = positions.map { entity.relationships[$0] }
        guard !relationships.isEmpty else { return try body() }
        let before = try relationships.map { try $0.writer?.destination(of: primaryKey) ?? 0 }
        let result = try body()
        for (relationship, old) in zip(relationships, before) {
            let new = try relationship.writer?.destination(of: primaryKey) ?? 0
            try countToOne(
                ToOneOwner(link: relationship.number, key: primaryKey, slot: entity.object.slot), from: old, to: new)
        }
        return result
    }

    /// Counts the links that `InverseWriter.follow` has changed.
    func count(_ followed: InverseWriter.Followed, of toOne: ToOneOwner, leadingTo destination: Int64) throws {
        for loser in followed.losers {
            try countToOne(owner(loser, toOne.link, else: toOne.slot), from: destination, to: 0)
        }
        if let former = followed.formerOwn { try countToOne(toOne, from: former, to: destination) }
        guard let inverse = links[toOne.link].relationship.inverse, let number = links.number(of: inverse.key) else {
            return
        }
        for former in followed.formerDestinations {
            try countToOne(owner(former, number, else: inverse.owner), from: toOne.key, to: 0)
        }
        if let former = followed.formerOwner {
            try countToOne(owner(destination, number, else: inverse.owner), from: former, to: toOne.key)
        }
    }

    /// Returns an object with a to-one relationship, and the entity for which its link is counted: that of a mapping
    /// that contains the relationship, or `other` if no mapping for the object does.
    func owner(_ key: Int64, _ link: Int64, else other: Int) throws -> ToOneOwner {
        let root = links[link].root
        let table = layout.table(ofEntity: root).map { SQLiteIdentifier.quoted($0.name) }
        let entity = try table.flatMap { try connection.cells($0, key, ["Z_ENT"]).first?.integer }
        let own = entity.flatMap { layout.slot(ofEntityNumber: Int($0)) } ?? root
        let mapped = entities.filter { $0.relationships.contains { $0.number == link } }.map(\.object.slot)
        let slot = mapped.first { $0 == own } ?? mapped.first { layout.model.isKind(own, of: $0) } ?? other
        return ToOneOwner(link: link, key: key, slot: slot)
    }

    /// Counts that the to-one links of an object end, because the object is about to be removed.
    func uncountToOnes(of object: AffectedObject) throws {
        guard let table = layout.table(ofEntity: object.root)?.name else { return }
        let slot = layout.slot(ofEntityNumber: Int(object.entity)) ?? object.root
        for (number, mapping) in links.mappings.enumerated() where mapping.root == object.root {
            guard let column = mapping.column,
                let destination = try connection.cells(
                    SQLiteIdentifier.quoted(table), object.primaryKey, [SQLiteIdentifier.quoted(column)]
                ).first?.integer
            else { continue }
            try countToOne(
                ToOneOwner(link: Int64(number), key: object.primaryKey, slot: slot), from: destination, to: 0)
        }
    }
}
