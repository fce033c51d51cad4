public import SQLiteFileBuilder

/// A table of a new store. Rows are appended as if they were valid and new, and the table is written again if they are
/// not.
///
/// Rows are numbered in the order in which they are added. So are objects that only references name, and that may have
/// to be created. These numbers are called arrivals. If all arrivals become objects, the arrivals are the primary keys.
public final class AssembledTable {
    /// The builder of the table, to which rows are appended.
    public internal(set) var builder: TableBuilder
    let position: Int
    let pieces: ByteFile
    /// The next arrival.
    public private(set) var next: Int64 = 1
    private(set) var links: [TableLink] = []
    /// The number of rows with a destination, by form and link.
    public internal(set) var linkCounts: [[Int64]] = []
    @exclusivity(unchecked) private(set) var forms: [ObjectForm] = []
    /// Whether forms have entity numbers.
    @exclusivity(unchecked) private var hasEntities = false
    /// The forms in the order of their rows, with the first arrival of each.
    private(set) var starts: [(arrival: Int64, form: Int)] = []
    /// The effects of rows on existing objects, by the number of the rows' form.
    public internal(set) var counts: [MatchCounts] = []
    /// The number of objects that were created, after all rows had been added, because references name them: by entity
    /// number, or 0 if the table has only one entity.
    public internal(set) var created: [Int64: Int64] = [:]
    /// The arrivals of objects that are created because references name them, by entity number, each entity with a form
    /// of its own.
    private var named: [(entity: Int64, form: Int, arrivals: RejectedRows)] = []
    /// The columns and links that rows do not mention: words of bits, by arrival.
    let absences: PairFile
    /// For rows that create objects which later rows, or they themselves, name: by row, the first arrival that may be
    /// such an object; nil if there are no such rows.
    private var makers: PairFile?
    let patches: PairSorter
    /// Whether any of the patches has a destination.
    @exclusivity(unchecked) var hasFoundLinks = false
    /// The companions of rows, which are rejected together with these rows, by the rows' arrivals: objects that are
    /// created because the rows name them, and other rows of their records. Each is a word with the table and the
    /// arrival.
    let companions: PairSorter
    /// The reservations that apply only if a row is not skipped, by that row: words with the table and the reservation,
    /// and with `rowFlag` if the row may belong to an object that another row creates.
    private(set) var unlessSkipped: PairFile?
    /// The values that must be unique and are not the key of the objects; nil if there are no such values.
    public internal(set) var uniqueValues: UniqueValues?
    /// Whether destinations of links are part of these values.
    @exclusivity(unchecked) var comparesLinks = false
    /// The keys of the objects, if they are found by several keys; otherwise nil.
    public internal(set) var severalKeys: SeveralKeys?
    /// The records of the rows, by arrival, each as a `RecordPlace`; nil if they are not needed.
    private(set) var records: PairFile?

    /// For objects that are created with the record of a row, by arrival: the phase of that row's form among the forms
    /// of the record. Objects with phase 0 are left out.
    private(set) var makingPhases: PairFile?

    /// The number of bits for the number of a mapping in a turn. It is as small as possible for all tables, because the
    /// numbers of records need many bits: they also identify one of many files.
    var mappingBits = 0

    /// The record of a row, or of an object that is created because the record refers to it.
    struct RecordPlace {
        let record: Int64
        let kind: Kind

        enum Kind: Int64 {
            case row
            /// The object is created with the record.
            case created
            /// The object is created after the last record.
            case createdLate
        }

        init(_ record: Int64, _ kind: Kind) {
            (self.record, self.kind) = (record, kind)
        }

        init(bits: Int64) {
            (record, kind) = (bits >> 2, Kind(rawValue: bits & 3) ?? .row)
        }

        var bits: Int64 { record << 2 | kind.rawValue }
    }

    /// The rows that may be rejected because an object has too many links or too few: the offsets of their notes, and
    /// the numbers of their records, by arrival; nil if no links of the table are counted.
    private(set) var counted: (notes: PairFile, records: PairFile)?

    // MARK: - Results

    /// The number of rejected rows when the keys were last identified; nil if they have not been, and -1 if they must
    /// be identified again.
    var rejectedWhenIdentified: Int?
    /// The arrivals that are rejected.
    @exclusivity(unchecked) var rejected = RejectedRows()
    /// The first arrival of objects that lists name; all other arrivals are lower.
    @exclusivity(unchecked) var firstListed = Int64.max
    /// The objects that lists name, and that are not created because the rows that name them do not apply.
    @exclusivity(unchecked) var unmade = RejectedRows()

    @exclusivity(unchecked) var rows = RowMap(arrivals: 0)
    /// The arrivals of groups of rows with the same key, each with the arrival that leads its group; nil if no two rows
    /// have the same key.
    @exclusivity(unchecked) var members: PairFile?

    init(_ builder: TableBuilder, position: Int, pieces: ByteFile, memory: SpoolMemory) throws(BuildError) {
        self.builder = builder
        self.position = position
        self.pieces = pieces
        absences = try PairFile(builder.path)
        patches = PairSorter(memory)
        companions = PairSorter(memory)
    }

    /// Adds a to-one link, and returns its number. Returns the existing number if the column already has a link.
    ///
    /// - Parameters:
    ///   - column: the position of the key column.
    ///   - entityColumn: the position of the column of the destination's entity number; nil if there is none.
    ///   - orderColumn: the position of the column with the row's place among the rows with the same destination, in
    ///     the order in which the rows name it; nil if they have no order.
    ///   - destination: the table of the destinations.
    ///   - entity: the entity number of the destinations.
    public func link(
        column: Int, entityColumn: Int?, orderColumn: Int? = nil, to destination: AssembledTable, entity: Int64
    ) -> Int {
        if let known = links.firstIndex(where: { $0.column == column }) { return known }
        links.append(
            TableLink(
                column: column, entityColumn: entityColumn, orderColumn: orderColumn, destination: destination,
                entity: entity))
        return links.count - 1
    }

    /// Adds to the number of links in rows that were appended to the builder.
    ///
    /// - Parameters:
    ///   - count: the number of rows with a destination.
    ///   - link: the number of the link.
    ///   - form: the form of the rows.
    public func count(_ count: Int64, of link: Int, in form: Int) {
        linkCounts[form][link] += count
    }

    /// Records that a row names a reserved object. The reservation applies only if the row is not skipped, because a
    /// skipped row names no objects.
    ///
    /// - Parameters:
    ///   - reservation: the arrival of the object.
    ///   - other: the table of the object.
    ///   - arrival: the row.
    ///   - mayFollow: whether the row applies to an object that another row creates. Otherwise it applies only if it
    ///     creates its own object.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func note(
        _ reservation: Int64, in other: AssembledTable, unlessSkipped arrival: Int64, mayFollow: Bool
    ) throws(BuildError) {
        if unlessSkipped == nil { unlessSkipped = try PairFile(builder.path) }
        try unlessSkipped?.append(
            arrival, Self.place(of: reservation, inTable: other.position) | (mayFollow ? Self.rowFlag : 0))
    }

    /// Records that a row is rejected if another one is, because both belong to one record.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func note(row: Int64, in other: AssembledTable, goingWith arrival: Int64) throws(BuildError) {
        try companions.add(arrival, Self.rowFlag | Self.place(of: row, inTable: other.position))
    }

    /// Declares that records may have several rows with values that must be unique: if another object has one of the
    /// values, all rows of the record are rejected. The numbers of the records are recorded with the rows.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    public func keepRecords() throws(BuildError) {
        keepsRecords = true
        try numberRecords()
    }

    /// Whether records may have several rows with values that must be unique.
    @exclusivity(unchecked) public private(set) var keepsRecords = false

    /// Declares that the order of the records matters, whatever batches they are in. The numbers of the records are
    /// recorded with the rows.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    public func numberRecords() throws(BuildError) {
        if records == nil { records = try PairFile(builder.path) }
    }

    /// Whether the numbers of the records are recorded.
    public var numbersRecords: Bool { records != nil }

    /// Returns the number of a row's record; nil if it is not recorded. No more rows may be added.
    func record(of arrival: Int64) throws(BuildError) -> Int64? {
        try records?.finish()
        return try records?.value(of: arrival).map { RecordPlace(bits: $0).record }
    }

    /// Returns whether two rows are known to belong to the same record. No more rows may be added.
    func areOfOneRecord(_ arrival: Int64, _ other: Int64) throws(BuildError) -> Bool {
        guard let record = try record(of: arrival) else { return false }
        return try record == self.record(of: other)
    }

    /// Returns the turn of a row, which determines its position among the rows of all tables with numbered records: by
    /// record, and then by mapping. Returns 0 if the record is not recorded; such rows are in the order of their
    /// arrivals. No more rows may be added.
    func turn(of arrival: Int64) throws(BuildError) -> Int64 {
        guard let record = try record(of: arrival) else { return 0 }
        return record << mappingBits | Int64(form(of: arrival).map { forms[$0].mapping } ?? 0)
    }

    /// Returns the turn of the first rows of a row's record, as `turn(of:)` returns it for a row.
    func firstTurn(ofRecordOf arrival: Int64) throws(BuildError) -> Int64 {
        try turn(of: arrival) & -(1 << mappingBits)
    }

    /// The highest number of a mapping among the forms.
    var lastMapping: Int { forms.map(\.mapping).max() ?? 0 }

    /// Records that a row belongs to a record. Rows, and the records of all tables, must be given in ascending order.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func note(record: Int64, of arrival: Int64) throws(BuildError) {
        try records?.append(arrival, RecordPlace(record, .row).bits)
    }

    /// Records an object that is created because a row names it. The object is rejected if the row is. Objects must be
    /// given in ascending order, among the rows.
    ///
    /// - Parameters:
    ///   - reservation: the arrival of the object.
    ///   - owner: the table and the arrival of the row.
    ///   - record: the number of the record of the row.
    ///   - isLate: whether the object is created after the last record, and not with its record.
    ///   - unique: the values that must be unique, the digest of the key of the object's entity, and the offset of the
    ///     note that the client gets if another object has the values; nil if there are no such values.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func note(
        made reservation: Int64, by owner: (table: AssembledTable, arrival: Int64), of record: Int64, isLate: Bool,
        unique: (values: [ListedObject.UniqueValue], key: KeyDigest, note: Int64)?
    ) throws(BuildError) {
        try owner.table.companions.add(owner.arrival, Self.place(of: reservation, inTable: position))
        if let severalKeys, let unique {
            try note(row: owner.arrival, in: owner.table, goingWith: reservation)
            try severalKeys.note(unique.note, of: reservation)
        }
        guard keepsRecords else { return }
        try records?.append(reservation, RecordPlace(record, isLate ? .createdLate : .created).bits)
        if !isLate, let form = owner.table.form(of: owner.arrival), owner.table.forms[form].phase > 0 {
            if makingPhases == nil { makingPhases = try PairFile(builder.path) }
            try makingPhases?.append(reservation, Int64(owner.table.forms[form].phase))
        }
        guard let unique, let uniqueValues else { return }
        try note(row: owner.arrival, in: owner.table, goingWith: reservation)
        for (slot, value) in unique.values {
            try uniqueValues.add(
                value, slot: slot, row: reservation, key: unique.key, isDefault: false, note: unique.note)
        }
    }

    /// Declares that links of objects are counted, and that rows of the table may be rejected because of their number.
    /// These rows are recorded.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    public func keepCounted() throws(BuildError) {
        if counted == nil { counted = (try PairFile(builder.path), try PairFile(builder.path)) }
    }

    /// Whether rows are recorded because they may be rejected for the number of an object's links.
    public var isCounted: Bool { counted != nil }

    /// Records that a row belongs to a record and may be rejected for the number of an object's links. Rows must be
    /// given in ascending order, and so must records.
    ///
    /// - Parameters:
    ///   - note: the note that the client gets if the row is rejected.
    ///   - record: the number of the record.
    ///   - arrival: the arrival of the row.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func note(counted note: Span<UInt8>, of record: Int64, row arrival: Int64) throws(BuildError) {
        try counted?.notes.append(arrival, keep(note))
        try counted?.records.append(arrival, record)
    }

    /// Returns the number of the record of a row that was recorded by `note(counted:of:row:)`; nil for other rows. No
    /// more rows may be added.
    func record(ofCounted arrival: Int64) throws(BuildError) -> Int64? { try counted?.records.value(of: arrival) }

    /// Returns the number of the link with a key column; nil if there is no such link.
    public func link(ofColumn column: Int) -> Int? { links.firstIndex { $0.column == column } }

    /// Declares that the destinations that rows give to a link are recorded, because its links are counted or are part
    /// of unique values.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    public func keepNamings(of link: Int) throws(BuildError) {
        if links[link].namings == nil { links[link].namings = try PairFile(builder.path) }
    }

    /// Returns whether the destinations that rows give to a link are recorded.
    public func keepsNamings(of link: Int) -> Bool { links[link].namings != nil }

    /// Records the destination that a row gives to a link, or 0 for no destination. Rows must be given in ascending
    /// order. References by key are not recorded here.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func say(_ link: Int, of arrival: Int64, destination: Int64) throws(BuildError) {
        try links[link].namings?.append(arrival, destination)
    }

    /// Returns the rule by which a row changes an existing object; nil if the arrival has no form.
    func matchRule(of arrival: Int64) -> ObjectForm.MatchRule? { form(of: arrival).map { forms[$0].onMatch } }

    /// The number of bits of an arrival in a word with a table.
    static let arrivalBits: Int64 = 48
    /// A bit of a companion that is a row, and not a reservation.
    static let rowFlag: Int64 = 1 << 62

    /// Returns the word for a row or a reservation of a table.
    static func place(of arrival: Int64, inTable position: Int) -> Int64 {
        Int64(position) << arrivalBits | arrival
    }

    /// Returns the table and the arrival of a companion.
    static func companion(_ place: Int64) -> (table: Int, arrival: Int64) {
        let place = place & ~rowFlag
        return (Int(place >> arrivalBits), place & (1 << arrivalBits - 1))
    }

    /// Returns whether an arrival is ignored: its row is rejected, or the rows that name its object do not apply.
    func isLeftOut(_ arrival: Int64) -> Bool { rejected.contains(arrival) || unmade.contains(arrival) }

    /// Stores the note that the client gets if a row is rejected, and returns its offset.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func keep(_ note: Span<UInt8>) throws(BuildError) -> Int64 {
        try pieces.append(note)
    }

    /// Whether destinations of links keep the rows of the table in order.
    var hasOrders: Bool { links.contains { $0.orderColumn != nil } }

    /// The maximum number of links of a table.
    public static let mostLinks = LinkPatch.mostLinks

    /// Begins rows of a new form, and returns the number of the form. All links must have been added.
    public func begin(_ form: ObjectForm) -> Int {
        add(form)
        start(forms.count - 1)
        return forms.count - 1
    }

    private func add(_ form: ObjectForm) {
        forms.append(form)
        if form.entity != nil { hasEntities = true }
        linkCounts.append([Int64](repeating: 0, count: links.count))
        counts.append(MatchCounts())
    }

    /// Continues with rows of an existing form.
    public func resume(_ form: Int) {
        if starts.last?.form != form { start(form) }
    }

    private func start(_ form: Int) {
        starts.append((next, form))
    }

    /// Records that an arrival is an object that is created because a reference names it.
    ///
    /// - Parameters:
    ///   - arrival: the number of the row.
    ///   - entity: its entity number.
    public func note(named arrival: Int64, entity: Int64) {
        if !named.contains(where: { $0.entity == entity }) {
            add(ObjectForm(columns: [], links: [], onMatch: .update, entity: entity))
            named.append((entity, forms.count - 1, RejectedRows()))
        }
        for index in named.indices where named[index].entity == entity { _ = named[index].arrivals.insert(arrival) }
    }

    /// Sets the next arrival, after rows were appended to the builder.
    public func take(upTo arrival: Int64) {
        next = arrival
    }

    func reserve() -> Int64 {
        defer { next += 1 }
        return next
    }

    /// Records the columns and links of its form that a row does not mention.
    ///
    /// - Parameters:
    ///   - words: the bits of the columns and links that the row does not mention.
    ///   - arrival: the number of the row.
    ///   - first: the first of the lower arrivals that rows after this one, or the row itself, name; nil if there are
    ///     no such arrivals. If one of these is the row's object, the row creates it.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func noteAbsent(_ words: [UInt64], of arrival: Int64, madeFrom first: Int64? = nil) throws(BuildError) {
        for word in words { try absences.append(arrival, Int64(bitPattern: word)) }
        guard let first else { return }
        if makers == nil { makers = try PairFile(builder.path) }
        try makers?.append(arrival, first)
    }

    /// Returns whether a row would have created its object if rows were read one by one: the row is the object's first
    /// one, or the arrival of the object exists only because later rows, or this row itself, name the object. No more
    /// rows may be added.
    func isMaker(_ row: Int64, of object: Int64) throws(BuildError) -> Bool {
        if row == object { return true }
        try makers?.finish()
        return try makers?.value(of: row).map { object >= $0 } ?? false
    }

    /// Returns the form of a row, or of an object that was recorded by `note(named:entity:)`; nil for an object that
    /// was created before the first row.
    func form(of arrival: Int64) -> Int? {
        for (_, form, arrivals) in named where arrivals.contains(arrival) { return form }
        return start(of: arrival).map { starts[$0].form }
    }

    private func start(of arrival: Int64) -> Int? {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle].arrival <= arrival { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : low - 1
    }

    /// Sets the final destinations of a link by object, and the missing destinations that apply.
    func setPartners(_ partners: NumberFile, absences: NumberFile?, of link: Int) {
        (links[link].partners, links[link].absences) = (partners, absences)
    }

    /// Declares that rows with another destination for a link do not count as changes of their objects.
    func setLate(_ link: Int) { links[link].isLate = true }

    /// Removes the results of references.
    func forgetPatches() {
        patches.removeAll()
        hasFoundLinks = false
    }

    /// Returns the entity number of the rows of a form; nil if it is that of the links that lead to them.
    public func entity(ofForm form: Int) -> Int64? { forms[form].entity }

    /// Returns the entity number of an object; nil if it is that of the links that lead to it.
    func entity(of arrival: Int64) -> Int64? {
        guard hasEntities else { return nil }
        return form(of: arrival).flatMap { forms[$0].entity }
    }

    /// The final number of objects.
    public var objectCount: Int64 { rows.count }

    /// Returns the arrival that becomes the object of another one: itself, or the leader of its group; nil if it does
    /// not become an object.
    func leader(of arrival: Int64) throws(BuildError) -> Int64? {
        if rows.contains(arrival) { return arrival }
        return try members?.value(of: arrival)
    }

    /// Returns the final primary key of an arrival; nil if it does not become an object.
    func primaryKey(of arrival: Int64) throws(BuildError) -> Int64? {
        if rows.isIdentity { return arrival }
        return try leader(of: arrival).map { rows.primaryKey(of: $0) }
    }
}
