public import SQLiteAccess
import TextEncodings

/// An object on its way from one store to another: entity, key, exact values, and the keys of related objects in order.
///
/// One value is filled again and again; it keeps its memory. Values by type of attribute: integers and booleans
/// `.integer`; Double, Float and Date `.real`; Decimal `.text` of its digits, or `NaN`; String and URI `.text` in
/// UTF-8, halves of surrogate pairs as three bytes each; UUID `.blob` of 16 bytes; the others `.blob`.
public struct StoredObject: Sendable {
    /// The place of the entity in the model.
    public var slot = 0

    /// The number that tells it from the other objects of its hierarchy; above 0.
    public var key: Int64 = 0

    /// One value for each attribute of the entity's form; texts and data lie in `bytes`.
    public private(set) var values: [ArenaValue] = []
    /// The bytes of the values that are texts or data.
    public private(set) var bytes: [UInt8] = []

    /// The related objects' keys, of one relationship behind the other.
    private var links: [Int64] = []
    private var linkEnds: [Int] = []

    /// Makes an object that is to be filled.
    public init() {}

    /// Begins an object without values and links.
    public mutating func begin(_ form: EntityForm, key: Int64) {
        slot = form.slot
        self.key = key
        // What one huge value took is given back.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
        values.removeAll(keepingCapacity: true)
        values.append(contentsOf: repeatElement(.null, count: form.attributes.count))
        links.removeAll(keepingCapacity: links.capacity <= 1 << 16)
        linkEnds.removeAll(keepingCapacity: true)
    }

    /// Bytes of texts, data and links.
    var size: Int { bytes.count + links.count * MemoryLayout<Int64>.stride }

    /// Gives back memory that is larger than a number of bytes; the object is without content then.
    mutating func giveBack(above limit: Int) {
        if bytes.capacity > limit { bytes = [] }
        if links.capacity > limit / MemoryLayout<Int64>.stride { links = [] }
    }

    // MARK: Values

    /// Sets a value at a place of the form; the bytes of a text or data must lie in `bytes` already.
    public mutating func setValue(_ value: ArenaValue, at place: Int) {
        values[place] = value
    }

    /// Copies a text or data; `body` appends them to the bytes.
    /// - Throws: what the closure throws.
    public mutating func setText<Failure: Error>(
        at place: Int, _ body: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let start = bytes.count
        try body(&bytes)
        values[place] = .text(ArenaRange(start: start, count: bytes.count - start))
    }

    /// Copies a text.
    mutating func setText(at place: Int, copying text: Span<UInt8>) {
        values[place] = .text(ArenaRange(start: bytes.count, count: text.count))
        bytes.append(copying: text)
    }

    /// Copies data; `body` appends them to the bytes.
    /// - Throws: what the closure throws.
    public mutating func setBlob<Failure: Error>(
        at place: Int, _ body: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let start = bytes.count
        try body(&bytes)
        values[place] = .blob(ArenaRange(start: start, count: bytes.count - start))
    }

    /// A value for a program that does not mind copies.
    public func value(at place: Int) -> SQLiteValue {
        values[place].sqliteValue(in: bytes)
    }

    /// Copies a value.
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

    /// Adds a key to the relationship that is being filled; relationships are filled in the order of the form.
    public mutating func appendLink(_ key: Int64) {
        links.append(key)
    }

    /// Ends the relationship that is being filled.
    public mutating func endRelationship() {
        linkEnds.append(links.count)
    }

    /// Adds all keys of the next relationship.
    public mutating func appendRelationship(_ keys: some Sequence<Int64>) {
        links.append(contentsOf: keys)
        endRelationship()
    }

    /// The keys of a relationship's objects; a relationship that was not filled has none.
    public func links(at place: Int) -> ArraySlice<Int64> {
        guard place < linkEnds.count else { return [] }
        return links[(place == 0 ? 0 : linkEnds[place - 1])..<linkEnds[place]]
    }

    /// Gives the object another key, and others to related objects: `number` tells each by the slot of its root entity.
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

    /// Adds a number to the key and to the keys of related objects, where they are above `kept`.
    ///
    /// A key that may be added to is at most `highestAcceptedKey`, and so is what is added; a sum that wraps is that of
    /// a reference to nothing.
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
