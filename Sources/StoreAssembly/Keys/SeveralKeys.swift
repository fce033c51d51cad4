public import SQLiteFileBuilder

/// The rows of a table whose objects are found by several keys. A row with one key may change another key, and an
/// object that is found by one key may have been created by a row that has only another key.
///
/// The rows are read in the order of their records. The values that each object has at that point, and the objects that
/// have each key, are on disk.
public final class SeveralKeys {
    /// The objects that have the keys. The assembly owns the table.
    private unowned let table: AssembledTable
    /// The numbers of the parts of each key. Different keys may share parts.
    private var keys: [[Int]] = []
    /// For each entity, whether a look-up for it finds the objects of each other entity.
    private let finds: [[Bool]]
    private let limits: AssemblyLimits
    /// The entities for which objects are looked up by each key.
    @exclusivity(unchecked) private var wanted: [Set<Int>] = []
    /// The uniqueness constraints, each as the parts whose values no two objects share all.
    private var constraints: [[Int]] = []
    /// The places of what the client gets if a row, or an object that is created, has the values of another object.
    private let notes: PairSorter
    private var sortedNotes: PairFile?
    /// Whether it matters if an object that has such values first turns out to be rejected as well.
    private var keepsRivals = false
    /// The objects whose values rows must not have, by pass.
    private(set) var rivalries: [Rivalry] = []
    /// Tuples of arrival, part, `ChangingKeys.Saying`, the two halves of the digest, entity, record and phase.
    private let sayings: TupleSorter
    /// Tuples of arrival, key, kind and payload.
    private let rows: TupleSorter
    private let memory: SpoolMemory
    /// The contents of `sayings` and `rows` in the order of the records, as tuples of record, phase, arrival, entity,
    /// one more than the key or 0, kind, and payload, followed by the `ChangingKeys.Saying` and the digest of each
    /// part.
    private var inOrder: TupleCursor?
    /// The number of rows that look up an object.
    @exclusivity(unchecked) private var rowCount = 0

    init(_ table: AssembledTable, finds: [[Bool]], _ limits: AssemblyLimits, _ memory: SpoolMemory) {
        self.table = table
        self.finds = finds
        self.limits = limits
        self.memory = memory
        sayings = TupleSorter(width: 8, memory)
        rows = TupleSorter(width: 4, memory)
        notes = PairSorter(memory)
    }

    /// Adds a key.
    ///
    /// - Parameter parts: the numbers of its parts, from 0.
    /// - Returns: its number.
    func addKey(_ parts: [Int]) -> Int {
        keys.append(parts)
        wanted.append([])
        return keys.count - 1
    }

    /// Adds a uniqueness constraint of the table.
    ///
    /// - Parameter parts: the numbers of the parts whose values no two objects may share all, from 0.
    public func addConstraint(_ parts: [Int]) { constraints.append(parts) }

    /// Whether the table has uniqueness constraints.
    public var hasConstraints: Bool { !constraints.isEmpty }

    /// Says that a record that is rejected for a value of another object may be so in vain, as records of that object
    /// may turn out to be rejected.
    public func keepRivals() { keepsRivals = true }

    private var partCount: Int { ((keys + constraints).joined().max() ?? -1) + 1 }

    /// Returns the parts of a key.
    func parts(ofKey number: Int) -> [Int] { keys[number] }

    // MARK: - Spooling

    /// Adds the value that a row, or an object that is created because a record refers to it, has for a part of keys.
    /// All parts of a row must be added.
    ///
    /// - Parameters:
    ///   - digest: the digest of the value or, if there is none, of the default for new objects; nil for NULL.
    ///   - isDefault: whether the row has no value.
    ///   - part: the number of the part, from 0.
    ///   - arrival: the number of the row or the object.
    ///   - entity: the entity, among those of the keys, of an object that the row creates.
    ///   - moment: the moment at which the row is written.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func say(
        _ digest: KeyDigest?, isDefault: Bool, part: Int, of arrival: Int64, entity: Int, at moment: RecordMoment
    ) throws(BuildError) {
        let (high, low) = digest?.integers ?? (0, 0)
        try sayings.add([
            arrival, Int64(part), ChangingKeys.Saying(digest, isDefault: isDefault).rawValue, high, low, Int64(entity),
            moment.record, moment.phase,
        ])
    }

    /// Adds a row that looks up its object by its values for the parts of a key, or an object that is created if no
    /// other object has the key.
    func add(
        _ arrival: Int64, _ kind: KeyEntry.Kind, _ entity: Int, payload: Int64, key: Int
    ) throws(BuildError) {
        wanted[key].insert(entity)
        rowCount += 1
        try rows.add([arrival, Int64(key), Int64(kind.rawValue), payload])
    }

    /// A row, or an object that is created because a record refers to it, may have values that another object has.
    ///
    /// - Parameters:
    ///   - note: the place of what the client gets then.
    ///   - arrival: the number of the row or the object.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func note(_ note: Int64, of arrival: Int64) throws(BuildError) { try notes.add(arrival, note) }

    /// Returns the rows in the order of the records.
    private func cursor() throws(BuildError) -> TupleCursor {
        if let inOrder { return inOrder.restarted() }
        let sorter = TupleSorter(width: 7 + 3 * partCount, memory)
        let (sayings, rows) = (try sayings.sorted(), try rows.sorted())
        var (saying, row) = (try sayings.next(), try rows.next())
        while let first = saying {
            var tuple = [first[6], first[7], first[0], first[5], 0, 0, 0]
            while let next = saying, next[0] == first[0] {
                tuple += next[2...4]
                saying = try sayings.next()
            }
            if let next = row, next[0] == first[0] {
                (tuple[4], tuple[5], tuple[6]) = (next[1] + 1, next[2], next[3])
                row = try rows.next()
            }
            try sorter.add(tuple)
        }
        let made = try sorter.sorted()
        inOrder = made
        return made.restarted()
    }

    // MARK: - Meeting

    /// Forgets which rows had values of other objects, before all are read again as if none had.
    func forgetRivalries() { rivalries = [] }

    /// The values of the objects, after the rows have been read; nil before.
    private(set) var held: HeldValues?

    /// Begins to read the rows in the order of their records.
    ///
    /// - Parameter results: gets the objects of the rows.
    func objects(_ results: IdentifiedKeys) throws(BuildError) -> KeyedObjects {
        let path = table.builder.path
        if sortedNotes == nil, notes.count > 0 { sortedNotes = try notes.sorted() }
        let rivalry = keepsRivals && hasConstraints ? Rivalry(table, memory) : nil
        let held = try HeldValues(parts: partCount, beside: path, pages: limits.constraintPages)
        self.held = held
        return try KeyedObjects(
            table, cursor(), keys: keys, wanted: wanted, constraints: constraints, finds: finds, results, held: held,
            holders: KeyHolders(
                count: rowCount * (keys.count + constraints.count), beside: path, pages: limits.constraintPages),
            notes: sortedNotes, rivalry)
    }

    /// Ends with reading the rows.
    func end(_ objects: KeyedObjects) {
        if let rivalry = objects.rivalry, rivalry.hasRefused { rivalries.append(rivalry) }
    }
}
