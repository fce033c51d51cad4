import SQLiteFileBuilder

/// A row of a group while the group is sorted: its form, what it does not mention, its links, and its record.
struct GroupMember {
    /// Nil for an object that is made because it is named.
    var form: Int?
    var absent: [UInt64] = []
    var patches: [LinkPatch] = []

    /// The bytes in front of the record.
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

    /// Takes a member apart, and the record of it.
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
