import Foundation
import KeyedArchives
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreConversion

/// A custom type of store, as a program adds one: metadata on the first line, then an object on each, as JSON.
struct JSONLinesFormat: AtomicStoreFormat {
    let type = PersistentStoreType("JSONLines")
    let fileExtensions = ["ndjson"]

    func recognizes(_ beginning: [UInt8]) -> Bool { beginning.starts(with: Array("{\"store\":".utf8)) }

    func metadata(at path: String) throws -> StoreMetadata {
        let line = try lines(path).first ?? [:]
        return StoreMetadata(uuid: line["store"] as? String ?? "")
    }

    func reader(at path: String, forms: ObjectForms, findings: ConversionFindings) throws -> any ObjectReader {
        Reader(lines: try Array(lines(path).dropFirst()), forms: forms)
    }

    func writer(
        to path: String, forms: ObjectForms, metadata: StoreMetadata, highestKey: Int64, findings: ConversionFindings
    ) throws -> any ObjectWriter {
        Writer(path: path, forms: forms, text: "{\"store\":\"\(metadata.uuid)\"}\n")
    }

    private func lines(_ path: String) throws -> [[String: Any]] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    private final class Reader: ObjectReader {
        private var lines: [[String: Any]]
        private let forms: ObjectForms

        init(lines: [[String: Any]], forms: ObjectForms) {
            self.lines = lines.reversed()
            self.forms = forms
        }

        func next(_ object: inout StoredObject) -> Bool {
            guard let line = lines.popLast(), let slot = forms.model.slot(named: line["entity"] as? String ?? "") else {
                return false
            }
            let form = forms.entities[slot]
            object.begin(form, key: Int64(line["key"] as? Int ?? 0))
            for (place, attribute) in form.attributes.enumerated() {
                if let text = line[attribute.name] as? String { object.setValue(.string(text), at: place) }
            }
            for relationship in form.relationships {
                object.appendRelationship((line[relationship.name] as? [Int] ?? []).map(Int64.init))
            }
            return true
        }
    }

    private final class Writer: ObjectWriter {
        private let path: String
        private let forms: ObjectForms
        private var text: String

        init(path: String, forms: ObjectForms, text: String) {
            self.path = path
            self.forms = forms
            self.text = text
        }

        func append(_ object: borrowing StoredObject) throws {
            let form = forms.entities[object.slot]
            var line: [String: Any] = ["entity": form.name, "key": Int(object.key)]
            for (place, attribute) in form.attributes.enumerated() {
                line[attribute.name] = object.value(at: place).string
            }
            for (place, relationship) in form.relationships.enumerated() {
                line[relationship.name] = object.links(at: place).map(Int.init)
            }
            text += String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self) + "\n"
        }

        func finish() throws {
            try text.write(toFile: path, atomically: false, encoding: .utf8)
        }
    }
}
