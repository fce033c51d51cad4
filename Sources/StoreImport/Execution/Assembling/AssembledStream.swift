import ImportMappings
import SQLiteFileBuilder
import StoreAssembly

/// The objects of one object mapping of a source on their way into a table.
final class AssembledStream {
    /// Which of the source's object mappings.
    let index: Int
    let object: CompiledObject
    let table: AssembledTable
    /// The keys that tell the objects apart; nil if they have no key.
    let identity: KeySpace?
    /// Keys by which records name the objects and that are not theirs, or parts of it, with the positions of the
    /// attributes.
    let names: [(keys: KeySpace, attributes: [Int])]
    /// The keys by which records name the objects and that only the sources have; nil if none are looked for.
    let aliases: EntityKeys?
    /// Which of the entities of the keys the objects are of.
    let keyEntity: Int
    /// The values that must be unique and are not the key in `identity`.
    let unique: [UniqueColumns.Value]
    /// By position of a to-one, the number of its link.
    let links: [Int]
    /// By position of a to-many.
    let lists: [AssembledList]
    /// The positions of to-ones with one value as key whose destinations come later.
    var late: [Int] = []
    /// By position of a to-many, how objects are created that it names and that others may still make; nil for other lists.
    let madeLast: [MadeLast?]
    private let appender: ObjectAppender
    /// What came last, so that it need not be written again; nil if objects seldom come again, or may not stay.
    private let recent: RecentRows?
    private(set) var form: Int?
    /// When the objects of a record are written, among the others.
    let phase: Int
    /// Keys by which records name the objects and which records may change.
    var changing: [ChangingKey] = []
    /// Where the parts of the keys come from by which the objects of the table are found, if these are several.
    var keyParts: [UniqueColumns.Origin] = []
    /// By position of a to-one, whether its destinations are found in the end, whatever was there before.
    var isLast: [Bool] = []
    /// Whether other objects may take what these lead to.
    let isPaired: Bool
    /// The entity of the objects, where the table may have others.
    let entity: Int64?
    /// Whether a record may turn out to be rejected when all are read.
    let mayBeRejected: Bool
    /// Whether records may be rejected that create objects of the same table, which have their places among the rows then.
    let reservesInTurn: Bool
    /// Objects so far, with those that said what was said before.
    private(set) var taken: Int64 = 0
    /// What those did that are not among the rows.
    private var repeated = MatchCounts()

    /// How the objects are told apart and found.
    struct Keys {
        /// nil if the objects have no key.
        let identity: KeySpace?
        /// Other keys by which they are found, with the positions of the attributes.
        let names: [(keys: KeySpace, attributes: [Int])]
        /// Which of the entities of the keys the objects are of.
        let entity: Int
        /// nil if no object of the table is found by a key that only the sources have.
        let aliases: EntityKeys?
        let recent: RecentRows?
        /// Whether objects of other entities are in the table, or these are found as those of another one.
        let isOneOfSeveral: Bool
        /// Whether the objects have one-to-one relationships.
        let isPaired: Bool
        /// The values that must be unique.
        let unique: [UniqueColumns.Value]
        /// Whether a record may turn out to be rejected when all are read.
        let mayBeRejected: Bool
    }

    init(
        _ index: Int, of source: CompiledSource, table: AssembledTable, keys: Keys,
        links: (toOnes: [Int], lists: [AssembledList]), madeLast: [MadeLast?],
        createsOwn reserves: Bool
    ) {
        self.madeLast = madeLast
        reservesInTurn = reserves && keys.mayBeRejected
        self.index = index
        phase = source.writeOrder.firstIndex(of: index) ?? 0
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

    /// What encodes rows while records are converted.
    var packer: RowPacker? { appender.packer }

    /// Begins with the rows of the source.
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

    /// Finds the objects of which a row says the same already; after that nothing else may be appended first.
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

    /// Takes note of the links of the objects of a batch, which are appended.
    func countLinks(of instances: borrowing ObjectInstances) {
        for position in object.toOnes.indices where object.toOnes[position].column != nil {
            table.count(instances.newLinkCount(position), of: links[position], in: form ?? 0)
        }
    }

    /// Finds the objects of which a row says the same already. Those that are appended are kept.
    private func leaveOut(
        _ recent: RecentRows, _ instances: inout ObjectInstances, where isRejected: [Bool], _ arena: [UInt8],
        _ digester: KeyDigester
    ) {
        let canRepeat =
            object.keyTargets.isEmpty && object.toManys.isEmpty && !object.hasFiles && !isPaired
            && object.onMissing == .create
        let entity = Int64(object.entityNumber)
        let keys = instances.keyDigests(digester)
        var content: [UInt8] = []
        var next = table.next
        var place = 0
        var leftOut: Int64 = 0
        for instance in 0..<instances.count where !isRejected[Int(instances.records[instance])] {
            guard place < instances.keyed.count, instances.keyed[place] == Int32(instance) else {
                // NULL equals nothing.
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

    /// What a record says of an object, as bytes.
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

    // No tags of `KeyBytes`.
    private static let nullTag: UInt8 = 254
    private static let absentTag: UInt8 = 255

    /// What its objects did to those that were there.
    var counts: MatchCounts {
        var counts = form.map { table.counts[$0] } ?? MatchCounts()
        counts.unchanged += repeated.unchanged
        counts.skipped += repeated.skipped
        return counts
    }
}

/// How objects that a list names are created after the last record, because other records may still make them.
struct MadeLast {
    /// When a row that names an object does not count.
    let condition: ListedObject.Condition
    /// What was named last, so that it need not be named again; nil if rows may not count, or lists count in turn.
    let recent: RecentRows?
    /// Whether objects are created list after list, as there may be others with the same keys that are found by some.
    let isInTurn: Bool
}
