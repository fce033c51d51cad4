import SQLiteFileBuilder

/// A row of a group while the group is sorted: its form, the columns and links that it does not mention, and its links.
/// The bytes of the record follow.
struct GroupMember {
    /// The form of the row; nil for an object that was created because a reference names it.
    var form: Int?
    var absent: [UInt64] = []
    var patches: [LinkPatch] = []

    /// Returns the encoded member, followed by the bytes of the record.
    func encoded(with record: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(word: UInt64(form.map { $0 + 1 } ?? 0))
        bytes.append(word: UInt64(absent.count))
        bytes.append(word: UInt64(patches.count))
        for word in absent { bytes.append(word: word) }
        for patch in patches { bytes.append(word: UInt64(bitPattern: patch.bits)) }
        bytes.reserveCapacity(bytes.count + record.count)
        for index in record.indices { bytes.append(record[index]) }
        return bytes
    }

    init(form: Int?, absent: [UInt64] = [], patches: [LinkPatch] = []) {
        self.form = form
        self.absent = absent
        self.patches = patches
    }

    /// Decodes a member, and loads the bytes behind it into a record.
    ///
    /// - Parameters:
    ///   - bytes: the encoded member with its record.
    ///   - record: gets the record.
    /// - Throws: `BuildError` if the record cannot be decoded.
    init(_ bytes: Span<UInt8>, record: StoredRecord) throws(BuildError) {
        var place = 0
        func word() -> UInt64 {
            defer { place += 8 }
            return bytes.word(at: place)
        }
        let number = Int(word())
        form = number == 0 ? nil : number - 1
        let (absentCount, patchCount) = (Int(word()), Int(word()))
        for _ in 0..<absentCount { absent.append(word()) }
        for _ in 0..<patchCount { patches.append(LinkPatch(Int64(bitPattern: word()))) }
        guard record.load(bytes.extracting(place..<bytes.count)) else {
            throw BuildError(.conversion("a row that was spooled cannot be read again"), path: "")
        }
    }
}
