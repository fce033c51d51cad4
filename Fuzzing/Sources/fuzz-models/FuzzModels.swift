import DocumentReading
import Foundation
import FuzzDriving
import KeyedArchives
import ManagedObjectModels
import MappingModels
import PredicateExpressions
import XMLStores

/// Property lists, archives, models, mapping models, predicates, and the documents they are written in.
@main struct FuzzModels {
    static func main() {
        FuzzDriver.run([
            "archive": { try ArchiveWalk.visit($0) },
            "contents": { try ModelUse.use(ModelContentsReader.read(bytes: $0, name: "contents")) },
            "deflate": { try ModelUse.use(ModelCacheReader.read($0, name: "store")) },
            "elements": { try ModelUse.use(Xcode3ModelReader.read(bytes: $0, name: "elements")) },
            "lint": { try ModelUse.lint($0) },
            "mapping": { try mapping($0) },
            "mom": { try ModelUse.use(CompiledModelReader.read(bytes: $0, name: "a.mom")) },
            "plist": { try propertyList($0) },
            "predicate": { try predicate($0) },
            "swift": { try ModelUse.swiftData($0) },
            "xml": { bytes in
                let reader = XMLPullReader(bytes: bytes, name: "document.xml")
                while try reader.next() != nil {}
            },
            "xmlstore": { bytes in
                let reader = try XMLStoreReader(bytes: bytes, name: "store.xml")
                while try reader.next() != nil {}
            },
            "yaml": { _ = try YAMLDocument(bytes: $0, name: "document.yaml") },
        ])
    }

    /// What can be read comes back when it is written.
    private static func propertyList(_ bytes: [UInt8]) throws {
        let value = try PropertyListReader.value(from: bytes)
        let again = try BinaryPropertyListReader.value(from: BinaryPropertyListWriter.bytes(for: value))
        precondition(again == value, "written and read, the list is another")
        if let text = try? XMLPropertyListWriter.text(for: value) {
            _ = try PropertyListReader.value(from: Array(text.utf8))
        }
        if let dictionary = value.dictionary {
            _ = VersionInformation(dictionary).propertyList
            _ = LocalizationDictionary(dictionary)
        }
    }

    /// What can be read says the same when it is written as YAML, or in its own form, and read again.
    private static func mapping(_ bytes: [UInt8]) throws {
        let document = try MappingModelFile.read(bytes: bytes, name: "mapping")
        _ = document.warnings.map(\.description)
        var model = document.model
        model.editorModels = nil
        for form in MappingModelForm.allCases {
            guard let again = try? MappingModelFile.bytes(of: model, form: form) else { continue }
            guard form == .yaml || form == document.form else {
                _ = try? MappingModelFile.read(bytes: again, name: "again")
                continue
            }
            let read = Result { try MappingModelFile.read(bytes: again, name: "again").model }
            precondition(
                (try? read.get()) == model,
                "written as \(form), the mapping model is another: \(read), not \(model)")
        }
    }

    private static func predicate(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? Expression(format: text).format
        let predicate = try Predicate(format: text)
        let printed = predicate.format
        precondition(
            (try? Predicate(format: printed).format) == printed, "printed as \(printed), the predicate is another")
        var archiver = PredicateArchiver()
        var builder = KeyedArchiveBuilder()
        guard let root = try? archiver.add(predicate, to: &builder) else { return }
        let archive = try KeyedArchive(builder.bytes(root: root))
        for name in archive.rootNames { _ = try Predicate(archived: archive.root(name)) }
    }
}
