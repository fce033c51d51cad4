public import SQLiteAccess
import TextEncodings

/// An object that is copied from one store to another: its entity, its key, exact values, and the keys of related
/// objects in order.
///
/// A single value is filled again for each object, and keeps its memory. Values by type of attribute: integers and
/// Booleans are `.integer`; Double, Float and Date are `.real`; Decimal is `.text` with its digits or `NaN`; String and
/// URI are `.text` in UTF-8, with unpaired surrogates as three bytes each; UUID is a `.blob` of 16 bytes; others are
/// `.blob`.
public struct StoredObject: Sendable {
    /// The entity's slot in the model.
    public var slot = 0

    /// The key that identifies the object in its hierarchy; greater than 0.
    public var key: Int64 = 0

    /// A value for each attribute of the entity's form; texts and data are in `bytes`.
    public private(set) var values: [ArenaValue] = []
    /// The bytes of the values that are texts or data.
    public private(set) var bytes: [UInt8] = []

    /// The keys of related objects, one relationship after the other.
    private var links: [Int64] = []
    private var linkEnds: [Int] = []

    /// Creates an object without content.
    public init() {}

    /// Begins an object without values and links.
    public mutating func begin(_ form: EntityForm, key: Int64) {
        slot = form.slot
        self.key = key
        // The memory of a very large value is released.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
        values.removeAll(keepingCapacity: true)
        values.append(contentsOf: repeatElement(.null, count: form.attributes.count))
        links.removeAll(keepingCapacity: links.capacity <= 1 << 16)
        linkEnds.removeAll(keepingCapacity: true)
    }

    /// The number of bytes of texts, data and links.
    var size: Int { bytes.count + links.count * MemoryLayout<Int64>.stride }

    /// Releases memory that is larger than a number of bytes; the object loses its content.
    mutating func giveBack(above limit: Int) {
        if bytes.capacity > limit { bytes = [] }
        if links.capacity > limit / MemoryLayout<Int64>.stride { links = [] }
    }

    // MARK: Values

    /// Sets a value at an index of the form; the bytes of a text or data must be in `bytes` already.
    public mutating func setValue(_ value: ArenaValue, at place: Int) {
        values[place] = value
    }

    /// Sets a text, whose bytes the closure appends.
    /// - Throws: the closure's error.
    public mutating func setText<Failure: Error>(
        at place: Int, _ body: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let start = bytes.count
        try body(&bytes)
        values[place] = .text(ArenaRange(start: start, count: bytes.count - start))
    }

    /// Sets a text to a copy.
    mutating func setText(at place: Int, copying text: Span<UInt8>) {
        values[place] = .text(ArenaRange(start: bytes.count, count: text.count))
        bytes.append(copying: text)
    }

    /// Sets data, whose bytes the closure appends.
    /// - Throws: the closure's error.
    public mutating func setBlob<Failure: Error>(
        at place: Int, _ body: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let start = bytes.count
        try body(&bytes)
        values[place] = .blob(ArenaRange(start: start, count: bytes.count - start))
    }

    /// Returns a copy of a value.
    public func value(at place: Int) -> SQLiteValue {
        values[place].sqliteValue(in: bytes)
    }

    /// Sets a value to a copy.
    public mutating func setValue(_ value: SQLiteValue, at place: Int) {
        switch value {
        case .null: values[place] = .null
        case .integer(let number): values[place] = .integer(number)
        case .real(let number): values[place] = .real(number)
        case .text(let text): setText(at: place) { $0 += text }
        case .blob(let data): setBlob(at: place) { $0 += data }
        }
    }

    // MARK: Links

    /// Adds a key to the current relationship; relationships are filled in the order of the form.
    public mutating func appendLink(_ key: Int64) {
        links.append(key)
    }

    /// Ends the current relationship.
    public mutating func endRelationship() {
        linkEnds.append(links.count)
    }

    /// Adds all keys of the next relationship.
    public mutating func appendRelationship(_ keys: some Sequence<Int64>) {
        links.append(contentsOf: keys)
        endRelationship()
    }

    /// Returns the keys of a relationship's objects; empty for a relationship that was not filled.
    public func links(at place: Int) -> ArraySlice<Int64> {
        guard place < linkEnds.count else { return [] }
        return links[(place == 0 ? 0 : linkEnds[place - 1])..<linkEnds[place]]
    }

    /// Gives new keys to the object and to the related objects. `number` returns the new key for an old one and the
    /// slot of its root entity.
    mutating func renumber<Failure: Error>(
        _ form: EntityForm, roots: [[Int]], _ number: (_ key: Int64, _ root: Int) throws(Failure) -> Int64
    ) throws(Failure) {
        key = try number(key, form.root)
        var start = 0
        for (place, end) in linkEnds.enumerated() {
            for index in start..<end { links[index] = try number(links[index], roots[form.slot][place]) }
            start = end
        }
    }

    /// Adds a number to the key and to the keys of related objects that are greater than `kept`.
    ///
    /// Valid keys and the added numbers are at most `highestAcceptedKey`. A sum can only wrap for a reference to an
    /// object that does not exist.
    mutating func renumber(_ form: EntityForm, adding bases: [Int64], above kept: Int64, roots: [[Int]]) {
        if key > kept { key &+= bases[form.root] }
        var start = 0
        for (place, end) in linkEnds.enumerated() {
            let base = bases[roots[form.slot][place]]
            if base != 0 { for index in start..<end where links[index] > kept { links[index] &+= base } }
            start = end
        }
    }
}
