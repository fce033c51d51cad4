import ManagedObjectModels
import SQLiteAccess
import StoreConversion

/// Reads a store line by line: in memory there is one object at a time.
final class LineStoreReader: ObjectReader {
    private let path: String
    private let lines: LineFile
    private let forms: ObjectForms
    private var line = 1

    init(path: String, forms: ObjectForms) throws {
        self.path = path
        self.forms = forms
        lines = try LineFile(reading: path)
        _ = try lines.next()
    }

    func next(_ object: inout StoredObject) throws -> Bool {
        guard let bytes = try lines.next() else { return false }
        line += 1
        let fields = bytes.split(separator: LineFile.tab, omittingEmptySubsequences: false)
        let name = String(decoding: fields[0], as: UTF8.self)
        guard let slot = forms.model.slot(named: name) else { throw damaged("the model has no entity \(name)") }
        let form = forms.entities[slot]
        guard fields.count == 2 + form.attributes.count + form.relationships.count, let key = number(fields[1]), key > 0
        else { throw damaged("this is not an object of \(name)") }
        object.begin(form, key: key)
        for place in form.attributes.indices {
            guard let value = value(fields[2 + place]) else { throw damaged("a value is damaged") }
            object.setValue(value, at: place)
        }
        for field in fields[(2 + form.attributes.count)...] {
            let keys = field.split(separator: UInt8(ascii: " ")).map { number($0) }
            guard !keys.contains(nil) else { throw damaged("a key is not a number") }
            object.appendRelationship(keys.compactMap { $0 })
        }
        return true
    }

    private func damaged(_ reason: String) -> LineStoreError { LineStoreError(path: path, line: line, reason: reason) }

    private func number(_ field: ArraySlice<UInt8>) -> Int64? { Int64(String(decoding: field, as: UTF8.self)) }

    private func value(_ field: ArraySlice<UInt8>) -> SQLiteValue? {
        let rest = field.dropFirst()
        switch field.first {
        case nil: return .null
        case UInt8(ascii: "i"): return number(rest).map { .integer($0) }
        case UInt8(ascii: "r"):
            return UInt64(String(decoding: rest, as: UTF8.self), radix: 16).map { .real(Double(bitPattern: $0)) }
        case UInt8(ascii: "t"): return .text(LineFile.unescaped(rest))
        case UInt8(ascii: "b"): return [UInt8](hexadecimal: rest).map { .blob($0) }
        default: return nil
        }
    }
}
