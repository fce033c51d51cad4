public import SQLiteFileBuilder

/// A table whose rows are appended as if nothing could be wrong with them, and written again if something is.
///
/// Rows are numbered in the order in which they come, and so is what somebody names and may have to be made: arrivals.
/// Where all of them are left in the end they are the primary keys.
public final class AssembledTable {
    /// The builder of the table, which rows are appended to.
    public internal(set) var builder: TableBuilder
    let position: Int
    let pieces: ByteFile
    /// The arrival that comes next.
    public private(set) var next: Int64 = 1
    private(set) var links: [TableLink] = []
    /// By form and link, the rows that lead somewhere.
    public internal(set) var linkCounts: [[Int64]] = []
    private(set) var forms: [ObjectForm] = []
    /// The forms in the order of their rows, with the first arrival of each.
    private(set) var starts: [(arrival: Int64, form: Int)] = []
    /// What rows did to objects that were there, by the number of their form.
    public internal(set) var counts: [MatchCounts] = []
    /// Objects that were made because somebody named them, when all rows were there: by entity number, 0 where the table
    /// has only one.
    public internal(set) var created: [Int64: Int64] = [:]
    /// By entity number, the form of what is made because somebody names it, and the arrivals.
    private var named: [(entity: Int64, form: Int, arrivals: RejectedRows)] = []
    /// What rows do not mention, by arrival, a word each.
    let absences: PairFile
    /// Of rows that make objects which rows behind them or they themselves name: by row, the first arrival that may be such
    /// an object; nil if there are none.
    private var makers: PairFile?
    let patches: PairSorter
    /// Whether any of these has a destination.
    @exclusivity(unchecked) var hasFoundLinks = false
    /// What goes with rows that may be rejected, by their arrivals: tables with reservations that they have made, and with
    /// other rows of their records.
    let companions: PairSorter
    /// Reservations that count only while a row makes its object, by that row: tables with reservations.
    private(set) var unlessSkipped: PairFile?
    /// The values that must be unique and are not the key of the objects; nil if there are none.
    public internal(set) var uniqueValues: UniqueValues?
    /// Whether destinations of links are part of these values.
    @exclusivity(unchecked) var comparesLinks = false
    /// The keys of the objects if these are found by several; nil if they are not.
    public internal(set) var severalKeys: SeveralKeys?
    /// The numbers of the rows' records, by arrival, each as a `RecordPlace`, where these are asked for; nil if they are not.
    private(set) var records: PairFile?

    /// By arrival of an object that is created with the record of a row, when the rows of that form come among the record's.
    private(set) var makingPhases: PairFile?

    /// The bits of a mapping beside a record: as few as are enough for all tables, since the numbers of records also say
    /// which of many files they come from.
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

    /// Rows that may be rejected because of what objects lead to: what the client wants to know of them, and the numbers of
    /// their records, by arrival; nil if nothing of the table is counted.
    private(set) var counted: (notes: PairFile, records: PairFile)?

    // MARK: - What is known in the end

    /// The number of rejected rows when the keys were identified last; nil if they were not.
    var rejectedWhenIdentified: Int?
    /// Rows that cannot be because something that they need is not there.
    @exclusivity(unchecked) var rejected = RejectedRows()
    /// The arrival of the first object that a list names; that of all others is lower.
    @exclusivity(unchecked) var firstListed = Int64.max
    /// Those of these objects that do not count as long as the rows that name them do not.
    @exclusivity(unchecked) var unmade = RejectedRows()

    @exclusivity(unchecked) var rows = RowMap(arrivals: 0)
    /// Rows with the key of another one, which leads their group, and that one.
    var members: PairFile?

    init(_ builder: TableBuilder, position: Int, pieces: ByteFile, memory: SpoolMemory) throws(BuildError) {
        self.builder = builder
        self.position = position
        self.pieces = pieces
        absences = try PairFile(builder.path)
        patches = PairSorter(memory)
        companions = PairSorter(memory)
    }

    /// Names a to-one link, and returns its number.
    ///
    /// - Parameters:
    ///   - column: the position of the key column.
    ///   - entityColumn: the position of the column of the destination's entity number; nil if there is none.
    ///   - orderColumn: that of the row's place among those that lead to the same destination, in the order of the rows
    ///     that name it; nil if they have no order.
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

    /// Takes note of links in rows of a form that were appended to the builder.
    public func count(_ count: Int64, of link: Int, in form: Int) {
        linkCounts[form][link] += count
    }

    /// A row names an object that is reserved. The reservation counts only if the row makes its own object, as a row that
    /// is skipped names nothing.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func note(_ reservation: Int64, in other: AssembledTable, unlessSkipped arrival: Int64) throws(BuildError) {
        if unlessSkipped == nil { unlessSkipped = try PairFile(builder.path) }
        try unlessSkipped?.append(arrival, Self.place(of: reservation, inTable: other.position))
    }

    /// A row may be rejected, and another one goes with it then: both are of one record.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func note(row: Int64, in other: AssembledTable, goingWith arrival: Int64) throws(BuildError) {
        try companions.add(arrival, Self.rowFlag | Self.place(of: row, inTable: other.position))
    }

    /// Says that records may have several rows with values that no two objects may share: if one of these is another
    /// object's, all of them are rejected. The numbers of the records are noted with their rows.
    /// - Throws: `BuildError` if a file beside the store cannot be made.
    public func keepRecords() throws(BuildError) {
        keepsRecords = true
        try numberRecords()
    }

    /// Whether records may have several rows with such values.
    @exclusivity(unchecked) public private(set) var keepsRecords = false

    /// Says that the order of the records matters, whichever batches they come in: their numbers are noted with their rows.
    /// - Throws: `BuildError` if a file beside the store cannot be made.
    public func numberRecords() throws(BuildError) {
        if records == nil { records = try PairFile(builder.path) }
    }

    /// Whether the numbers of the records are noted.
    public var numbersRecords: Bool { records != nil }

    /// The number of a row's record; nil if it is not noted. No row comes any more.
    func record(of arrival: Int64) throws(BuildError) -> Int64? {
        try records?.finish()
        return try records?.value(of: arrival).map { RecordPlace(bits: $0).record }
    }

    /// Whether two rows are known to be of the same record. No row comes any more.
    func areOfOneRecord(_ arrival: Int64, _ other: Int64) throws(BuildError) -> Bool {
        guard let record = try record(of: arrival) else { return false }
        return try record == self.record(of: other)
    }

    /// Where a row comes among those of all tables whose records are numbered: by record, and by mapping in a record.
    /// Others come in the order of their arrivals; 0 for these. No row comes any more.
    func turn(of arrival: Int64) throws(BuildError) -> Int64 {
        guard let record = try record(of: arrival) else { return 0 }
        return record << mappingBits | Int64(form(of: arrival).map { forms[$0].mapping } ?? 0)
    }

    /// The highest number of a mapping among the forms.
    var lastMapping: Int { forms.map(\.mapping).max() ?? 0 }

    /// A row is of a record. Rows come in order, the records of all tables by their numbers.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func note(record: Int64, of arrival: Int64) throws(BuildError) {
        try records?.append(arrival, RecordPlace(record, .row).bits)
    }

    /// Notes an object that is created because a row names it, which may be rejected: the object goes with the row. Objects
    /// come in order, among the rows.
    ///
    /// - Parameters:
    ///   - reservation: the number of the object.
    ///   - owner: the table and the number of the row.
    ///   - record: the number of the record of the row.
    ///   - isLate: whether the object is created after the last record, and not with its record.
    ///   - unique: the values that must be unique, the digest of the key of the object's entity, and the place of the note
    ///     that the client gets if another object has the values; nil if there are none.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func note(
        made reservation: Int64, by owner: (table: AssembledTable, arrival: Int64), of record: Int64, isLate: Bool,
        unique: (values: [ListedObject.UniqueValue], key: KeyDigest, note: Int64)?
    ) throws(BuildError) {
        try owner.table.companions.add(owner.arrival, Self.place(of: reservation, inTable: position))
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

    /// Says that what objects lead to is counted, and that rows of the table may be rejected for it: each is noted.
    /// - Throws: `BuildError` if a file beside the store cannot be made.
    public func keepCounted() throws(BuildError) {
        if counted == nil { counted = (try PairFile(builder.path), try PairFile(builder.path)) }
    }

    /// Whether rows are noted, as they may be rejected because of what objects lead to.
    public var isCounted: Bool { counted != nil }

    /// Notes that a row belongs to a record and may be rejected because of how many objects others lead to. Rows come in
    /// order, and so do records.
    ///
    /// - Parameters:
    ///   - note: what the client gets if the row is rejected.
    ///   - record: the number of the record.
    ///   - arrival: the row.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func note(counted note: Span<UInt8>, of record: Int64, row arrival: Int64) throws(BuildError) {
        try counted?.notes.append(arrival, keep(note))
        try counted?.records.append(arrival, record)
    }

    /// The number of the record of a row that is noted; nil for others. No row comes any more.
    func record(ofCounted arrival: Int64) throws(BuildError) -> Int64? { try counted?.records.value(of: arrival) }

    /// The number of the link with a key column; nil if there is none.
    public func link(ofColumn column: Int) -> Int? { links.firstIndex { $0.column == column } }

    /// Says that objects are counted that a link leads from or to: it is noted what each row says of it.
    /// - Throws: `BuildError` if a file beside the store cannot be made.
    public func keepNamings(of link: Int) throws(BuildError) {
        if links[link].namings == nil { links[link].namings = try PairFile(builder.path) }
    }

    /// Whether it is noted what rows say of a link.
    public func keepsNamings(of link: Int) -> Bool { links[link].namings != nil }

    /// A row says that a link leads to another row, or with 0 that it leads nowhere. Rows come in order; references by key
    /// are left out.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func say(_ link: Int, of arrival: Int64, destination: Int64) throws(BuildError) {
        try links[link].namings?.append(arrival, destination)
    }

    /// What becomes of an object that is there because of a row which comes later.
    func matchRule(of arrival: Int64) -> ObjectForm.MatchRule? { form(of: arrival).map { forms[$0].onMatch } }

    /// The bits of an arrival beside a table.
    static let arrivalBits: Int64 = 48
    /// What goes with a row is a row, too, and no reservation.
    static let rowFlag: Int64 = 1 << 62

    /// The word for a row or a reservation of a table.
    static func place(of arrival: Int64, inTable position: Int) -> Int64 {
        Int64(position) << arrivalBits | arrival
    }

    /// The table and the arrival of what goes with a row.
    static func companion(_ place: Int64) -> (table: Int, arrival: Int64) {
        let place = place & ~rowFlag
        return (Int(place >> arrivalBits), place & (1 << arrivalBits - 1))
    }

    /// Whether an arrival counts for nothing: its row is rejected, or the rows that name its object do not count.
    func isLeftOut(_ arrival: Int64) -> Bool { rejected.contains(arrival) || unmade.contains(arrival) }

    /// Keeps what the client wants to know of a row that is rejected, and returns its place.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func keep(_ note: Span<UInt8>) throws(BuildError) -> Int64 {
        try pieces.append(note)
    }

    /// Whether destinations of links keep the rows in order.
    var hasOrders: Bool { links.contains { $0.orderColumn != nil } }

    /// The most links that a table may have.
    public static let mostLinks = LinkPatch.mostLinks

    /// Says what the rows that come next are like, and returns the number of the form. All links have been named.
    public func begin(_ form: ObjectForm) -> Int {
        add(form)
        start(forms.count - 1)
        return forms.count - 1
    }

    private func add(_ form: ObjectForm) {
        forms.append(form)
        linkCounts.append([Int64](repeating: 0, count: links.count))
        counts.append(MatchCounts())
    }

    /// Says that rows of a form come again.
    public func resume(_ form: Int) {
        if starts.last?.form != form { start(form) }
    }

    private func start(_ form: Int) {
        starts.append((next, form))
    }

    /// Says that an arrival is made because somebody names it, not by a row of the forms.
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

    /// Takes note of rows that were appended to the builder.
    public func take(upTo arrival: Int64) {
        next = arrival
    }

    func reserve() -> Int64 {
        defer { next += 1 }
        return next
    }

    /// A row does not mention all of its form's columns and links: bits of those that it lacks.
    ///
    /// - Parameters:
    ///   - words: a bit for each column and link.
    ///   - arrival: the number of the row.
    ///   - first: where arrivals that come before the row were named by rows behind it, or by itself, the first of these;
    ///     the row makes the object that one of them would have been.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func noteAbsent(_ words: [UInt64], of arrival: Int64, madeFrom first: Int64? = nil) throws(BuildError) {
        for word in words { try absences.append(arrival, Int64(bitPattern: word)) }
        guard let first else { return }
        if makers == nil { makers = try PairFile(builder.path) }
        try makers?.append(arrival, first)
    }

    /// Returns whether a row would have made its object if rows had come one by one: what leads it was named by rows behind this one,
    /// or by this one itself. No row comes any more.
    func isMaker(_ row: Int64, of object: Int64) throws(BuildError) -> Bool {
        if row == object { return true }
        try makers?.finish()
        return try makers?.value(of: row).map { object >= $0 } ?? false
    }

    /// How a row came; nil for what was made because it was named, before any row.
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

    /// Says what the objects of a one-to-one relationship lead to, and which of their references that lead nowhere count.
    func setPartners(_ partners: NumberFile, absences: NumberFile?, of link: Int) {
        (links[link].partners, links[link].absences) = (partners, absences)
    }

    /// Says that what rows say of a link is followed in the end.
    func setLate(_ link: Int) { links[link].isLate = true }

    /// Forgets what became of references.
    func forgetPatches() {
        patches.removeAll()
        hasFoundLinks = false
    }

    /// The entity number of the rows of a form; nil if it is that of the links that lead to them.
    public func entity(ofForm form: Int) -> Int64? { forms[form].entity }

    /// The entity number of an object; nil if it is that of the links that lead to it.
    func entity(of arrival: Int64) -> Int64? {
        guard hasEntities else { return nil }
        return form(of: arrival).flatMap { forms[$0].entity }
    }

    /// Whether forms have entity numbers.
    private var hasEntities: Bool { forms.contains { $0.entity != nil } }

    /// The number of objects in the end.
    public var objectCount: Int64 { rows.count }

    /// The arrival that stands for another one in the end: itself, or the one that leads its group.
    func leader(of arrival: Int64) throws(BuildError) -> Int64? {
        if rows.contains(arrival) { return arrival }
        return try members?.value(of: arrival)
    }

    /// The primary key of an arrival; nil if it did not become an object.
    func primaryKey(of arrival: Int64) throws(BuildError) -> Int64? {
        if rows.isIdentity { return arrival }
        return try leader(of: arrival).map { rows.primaryKey(of: $0) }
    }
}
