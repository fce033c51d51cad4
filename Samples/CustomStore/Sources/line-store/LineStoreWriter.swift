import KeyedArchives
import PersistentStores
import SQLiteAccess
import StoreConversion

/// Writes a store line by line; Ferry gives the file its name when it is whole.
final class LineStoreWriter: ObjectWriter {
    private let lines: LineFile
    private let forms: ObjectForms

    init(path: String, forms: ObjectForms, metadata: StoreMetadata) throws {
        self.forms = forms
        lines = try LineFile(writing: path)
        let list = BinaryPropertyListWriter.bytes(for: .dictionary(metadata.entries))
        try lines.append([Array("line-store".utf8), Array(metadata.uuid.utf8), list.hexadecimal])
    }

    func append(_ object: borrowing StoredObject) throws {
        let form = forms.entities[object.slot]
        var fields = [Array(form.name.utf8), Array(String(object.key).utf8)]
        for place in form.attributes.indices { fields.append(field(object.value(at: place))) }
        for place in form.relationships.indices {
            fields.append(Array(object.links(at: place).map { String($0) }.joined(separator: " ").utf8))
        }
        try lines.append(fields)
    }

    func finish() throws { try lines.finish() }

    private func field(_ value: SQLiteValue) -> [UInt8] {
        switch value {
        case .null: []
        case .integer(let number): Array("i\(number)".utf8)
        case .real(let number): Array("r\(String(number.bitPattern, radix: 16))".utf8)
        case .text(let bytes): [UInt8(ascii: "t")] + LineFile.escaped(bytes)
        case .blob(let bytes): [UInt8(ascii: "b")] + bytes.hexadecimal
        }
    }
}
