import ImportMappings
import SQLiteFileBuilder
import StoreAssembly

/// The stream of objects of one object mapping of a source into a table.
final class AssembledStream {
    /// The position of the object mapping in the source.
    let index: Int
    let object: CompiledObject
    let table: AssembledTable
    /// The keys that identify the objects; nil if they have no key.
    let identity: KeySpace?
    /// The keys by which records name the objects, and that are not the objects' own keys or are only parts of them,
    /// with the positions of the attributes.
    let names: [(keys: KeySpace, attributes: [Int])]
    /// The keys by which records name the objects and that only the sources have; nil if no record names objects by
    /// such keys.
    let aliases: EntityKeys?
    /// The entity of the objects, among those of the keys.
    let keyEntity: Int
    /// The values that must be unique and are not the key in `identity`.
    let unique: [UniqueColumns.Value]
    /// The number of the link of each to-one relationship, by position.
    let links: [Int]
    /// The list of each to-many relationship, by position.
    let lists: [AssembledList]
    /// The positions of to-one relationships whose key is one value and whose destinations come later.
    var late: [Int] = []
    /// The positions of to-one relationships to other objects of the record that are set after all objects of the record.
    let lateInRecord: Set<Int>
    /// These positions, and those of to-one relationships to other objects of the record that may be skipped.
    let linkedByRow: Set<Int>
    /// The references of other objects of the same records to the objects; nil if there are no such references.
    var rowsOfRecords: KeySpace?
    /// For each to-many relationship, how the objects that it names are created if other records may still create them;
    /// nil for other lists.
    let madeLast: [MadeLast?]
    private let appender: ObjectAppender
    /// The most recent rows, which need not be written again; nil if objects seldom come again, or may be rejected.
    private let recent: RecentRows?
    private(set) var form: Int?
    /// The position of the objects among those of a record, in the order in which they are written.
    let phase: Int
    /// The keys by which records name the objects, and which records may change.
    var changing: [ChangingKey] = []
    /// The origins of the parts of the keys by which the objects of the table are found, if there are several keys;
    /// otherwise empty.
    var keyParts: [UniqueColumns.Origin] = []
    /// For each to-one relationship, by position, whether its destinations are looked up at the end, even if an object
    /// had the key before.
    var isLast: [Bool] = []
    /// Whether other objects may take the destinations of these objects.
    let isPaired: Bool
    /// The entity number of the objects, if the table may have objects of other entities; otherwise nil.
    let entity: Int64?
    /// Whether a record may be rejected after all records have been read.
    let mayBeRejected: Bool
    /// Whether records that may be rejected create objects of the same table by reference. The reservations of these
    /// objects then have their places among the rows.
    let reservesInTurn: Bool
    /// The number of objects so far, including those that were left out because they have the same content as earlier
    /// ones.
    private(set) var taken: Int64 = 0
    /// The effects of objects that were left out.
    private var repeated = MatchCounts()

    /// The keys and other properties by which the objects are identified and found.
    struct Keys {
        /// The keys that identify the objects; nil if they have no key.
        let identity: KeySpace?
        /// Other keys by which the objects are found, with the positions of the attributes.
        let names: [(keys: KeySpace, attributes: [Int])]
        /// The entity of the objects, among those of the keys.
        let entity: Int
        /// The keys that only the sources have; nil if no object of the table is found by such a key.
        let aliases: EntityKeys?
        let recent: RecentRows?
        /// Whether the table has objects of other entities, or look-ups for another entity find these objects.
        let isOneOfSeveral: Bool
        /// Whether other objects may take the destinations of these objects.
        let isPaired: Bool
        /// The values that must be unique.
        let unique: [UniqueColumns.Value]
        /// Whether a record may be rejected after all records have been read.
        let mayBeRejected: Bool
    }

    init(
        _ index: Int, of source: CompiledSource, table: AssembledTable, keys: Keys,
        links: (toOnes: [Int], lists: [AssembledList]), madeLast: [MadeLast?],
        createsOwn reserves: Bool
    ) {
        self.madeLast = madeLast
        // Of several keys all is done in the order of the records.
        reservesInTurn = reserves && keys.mayBeRejected && table.severalKeys == nil
        self.index = index
        phase = source.writeOrder.firstIndex(of: index) ?? 0
        let late = source.lateToOnesOfNewObjects[index]
        lateInRecord = late
        linkedByRow = Set(
            source.objects[index].toOnes.indices.filter { position in
                guard case .object(let other) = source.objects[index].toOnes[position].target else { return false }
                return late.contains(position) || source.objects[other].onMissing == .skip
            })
        let object = source.objects[index]
        self.object = object
        self.table = table
        self.links = links.toOnes
        lists = links.lists
        identity = keys.identity
        names = keys.names
        keyEntity = keys.entity
        aliases = keys.aliases
        unique = keys.unique
        mayBeRejected = keys.mayBeRejected
        isPaired = keys.isPaired
        recent = object.hasKey ? keys.recent : nil
        entity = keys.isOneOfSeveral ? Int64(object.entityNumber) : nil
        appender = ObjectAppender(object, table: table.builder)
    }

    /// The encoder of rows while records are converted.
    var packer: RowPacker? { appender.packer }

    /// Begins, or continues, the rows of the source.
    func begin() {
        if let form { return table.resume(form) }
        let columns = table.builder.definition.columns
        let rule: ObjectForm.MatchRule =
            switch object.onMatch {
            case .fill: .fill
            case .skip: .skip
            case .update, .error: .update
            }
        form = table.begin(
            ObjectForm(
                columns: object.attributes.map { attribute in
                    columns.firstIndex { $0.name == attribute.column } ?? 0
                }, links: links, onMatch: rule,
                namingColumns: Set(
                    object.attributes.filter(\.isExternal).compactMap { attribute in
                        columns.firstIndex { $0.name == attribute.column }
                    }), entity: entity, phase: phase, mapping: index))
    }

    /// Leaves out objects for which an earlier row has the same content. No other rows may be appended before those of
    /// the objects.
    func leaveOutRepeated(
        _ instances: inout ObjectInstances, where isRejected: [Bool], arena: [UInt8], _ digester: KeyDigester
    ) {
        if let recent { leaveOut(recent, &instances, where: isRejected, arena, digester) }
    }

    /// Appends the objects of all records that are not rejected.
    func append(
        _ instances: inout ObjectInstances, where isRejected: [Bool], arena: [UInt8]
    ) throws(BuildError) {
        try appendRows(&instances, in: 0..<instances.count, where: isRejected, arena: arena)
        countLinks(of: instances)
    }

    /// Appends some objects of a batch, without counting their links.
    func appendRows(
        _ instances: inout ObjectInstances, in range: Range<Int>, where isRejected: [Bool], arena: [UInt8]
    ) throws(BuildError) {
        let first = table.next
        let next = try appender.appendAll(
            &instances, in: range, where: isRejected, from: first, entity: Int64(object.entityNumber),
            arena: arena.span)
        taken += next - first
        table.take(upTo: next)
    }

    /// Counts the links of the objects of a batch, which have been appended.
    func countLinks(of instances: borrowing ObjectInstances) {
        for position in object.toOnes.indices where object.toOnes[position].column != nil {
            table.count(instances.newLinkCount(position), of: links[position], in: form ?? 0)
        }
    }

    /// Leaves out objects for which a recent row has the same content, and adds the others to the recent rows.
    private func leaveOut(
        _ recent: RecentRows, _ instances: inout ObjectInstances, where isRejected: [Bool], _ arena: [UInt8],
        _ digester: KeyDigester
    ) {
        let canRepeat =
            object.keyTargets.isEmpty && object.toManys.isEmpty && !object.hasFiles && !isPaired
            && object.onMissing == .create && linkedByRow.isEmpty
        let entity = Int64(object.entityNumber)
        let keys = instances.keyDigests(digester)
        var content: [UInt8] = []
        var next = table.next
        var place = 0
        var leftOut: Int64 = 0
        for instance in 0..<instances.count where !isRejected[Int(instances.records[instance])] {
            guard place < instances.keyed.count, instances.keyed[place] == Int32(instance) else {
                // A key with NULL matches no object.
                next += 1
                continue
            }
            place += 1
            let key = keys[place - 1]
            guard canRepeat else {
                recent.forget(key)
                next += 1
                continue
            }
            say(instance, instances, arena, in: &content)
            let said = digester.digest(of: content.span)
            if let arrival = recent.arrival(of: key, saying: said) {
                instances.primaryKeys[instance] = arrival
                instances.entities[instance] = entity
                instances.states[instance] = .unchanged
                leftOut += 1
            } else {
                recent.keep(key, saying: said, arrival: next)
                next += 1
            }
        }
        taken += leftOut
        if object.onMatch == .skip { repeated.skipped += leftOut } else { repeated.unchanged += leftOut }
    }

    /// Encodes the content of a record for an object.
    @inline(__always)
    private func say(
        _ instance: Int, _ instances: borrowing ObjectInstances, _ arena: [UInt8], in bytes: inout [UInt8]
    ) {
        bytes.removeAll(keepingCapacity: true)
        KeyBytes.append(Int64(form ?? 0), to: &bytes)
        for position in 0..<instances.attributeCount {
            let isPresent = instances.cellPresent[instance * instances.attributeCount + position]
            let isValue = KeyBytes.append(
                instances.cells[instance * instances.attributeCount + position], in: arena, to: &bytes)
            if !isValue { bytes.append(isPresent ? Self.nullTag : Self.absentTag) }
        }
        for position in 0..<instances.toOneCount {
            let place = instance * instances.toOneCount + position
            KeyBytes.append(instances.toOneKeys[place], to: &bytes)
            bytes.append(instances.toOnePresent[place] ? Self.nullTag : Self.absentTag)
        }
        if let key = instances.sourceKeys.isEmpty ? nil : instances.sourceKeys[instance] { bytes += key.bytes }
    }

    // These tags are not used by `KeyBytes`.
    private static let nullTag: UInt8 = 254
    private static let absentTag: UInt8 = 255

    /// The effects of the objects on existing objects.
    var counts: MatchCounts {
        var counts = form.map { table.counts[$0] } ?? MatchCounts()
        counts.unchanged += repeated.unchanged
        counts.skipped += repeated.skipped
        return counts
    }
}

/// The way in which objects that a list names are created after the last record, because other records may still create
/// them.
struct MadeLast {
    /// The condition under which a row that names an object does not apply.
    let condition: ListedObject.Condition
    /// The objects that were named recently and need not be named again; nil if rows may not apply, or if lists are
    /// processed in turn.
    let recent: RecentRows?
    /// Whether objects are created list after list, because there may be other objects with the same keys that only
    /// some look-ups find.
    let isInTurn: Bool
}
