import RecordSources

/// The rejected records of a text: their original bytes, with the text that surrounds them in the source.
final class RejectDocument: RejectData {
    private let file: RejectFile
    private let source: RejectSource

    var path: String { file.path }

    init(_ file: RejectFile, source: RejectSource) throws {
        self.file = file
        self.source = source
        isEmpty = file.count == 0
        if isEmpty { try file.append(source.wrapping.prefix) }
    }

    /// Whether there is no record yet, so that no separator is needed before the next one.
    private var isEmpty: Bool

    func append(_ record: CapturedRecord, of _: RejectSource) throws {
        guard case .bytes(let bytes) = record, !bytes.isEmpty else { return }
        if !isEmpty { try file.append(source.wrapping.separator) }
        isEmpty = false
        try file.append(bytes)
        // The last record of a source may lack a line end, but in this file another record may follow.
        if !source.wrapping.terminator.isEmpty, !endsInLineEnd(bytes) {
            try file.append(source.wrapping.terminator)
        }
    }

    /// Returns whether a record ends with a line end, which may be of another kind than most.
    private func endsInLineEnd(_ bytes: [UInt8]) -> Bool {
        let terminator = source.wrapping.terminator
        let isPair = terminator.contains(0x0D) && terminator.contains(0x0A)
        let unit = terminator.suffix(isPair ? terminator.count / 2 : terminator.count)
        return ([0x0A, 0x0D] as [UInt8]).contains { end in
            let lineEnd = unit.map { $0 == 0x0A || $0 == 0x0D ? end : $0 }
            return bytes.count >= lineEnd.count && bytes.suffix(lineEnd.count).elementsEqual(lineEnd)
        }
    }

    func checkpoint() throws -> Int {
        try file.synchronize()
        return file.count
    }

    func finish() throws {
        try file.append(source.wrapping.suffix)
        try file.synchronize()
    }
}
