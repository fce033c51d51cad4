import DocumentReading
import MappingModels
import PersistentStores
import StoreEditing

/// Translates the nodes of a YAML document to stages, and collects errors.
///
/// Functions that return nil have reported the reason.
struct StagedMigrationParser: YAMLFormReader {
    let document: YAMLDocument
    var problems: [DocumentError] = []
    private(set) var locations: [Int: SourceLocation] = [:]
    private(set) var parts: [Int: [StagedMigrationError.Part: SourceLocation]] = [:]

    /// The folder to which paths in the file are relative.
    private let folder: String

    /// The number of the format, which follows the key `stages`.
    private static let formatNumber = 1

    init(_ document: YAMLDocument, path: String) {
        self.document = document
        folder = FileSystem.directory(of: path)
    }

    mutating func stages() -> [MigrationStage]? {
        let root = document.root
        guard let number = root["stages"] else {
            report("a staged migration begins with \"stages: \(Self.formatNumber)\"", at: root.location)
            return nil
        }
        guard number.integer == Int64(Self.formatNumber) else {
            report(
                "the format \"\(number.text ?? "")\" is not known; this program reads \"stages: \(Self.formatNumber)\" "
                    + "(error 134505)", at: number.location)
            return nil
        }
        guard let fields = fields(of: root, what: "a staged migration", keys: ["stages", "migration"])
        else { return nil }
        guard let node = fields["migration"] else {
            report("a staged migration needs \"migration\", a list of stages", at: root.location)
            return nil
        }
        guard let items = list(of: node, what: "\"migration\"") else { return nil }
        var stages: [MigrationStage] = []
        for (index, item) in items.enumerated() {
            locations[index] = item.location
            if let stage = stage(item, index) { stages.append(stage) }
        }
        return stages
    }

    private mutating func stage(_ node: YAMLNode, _ index: Int) -> MigrationStage? {
        let keys = ["label", "lightweight", "from", "to", "mapping", "will", "did"]
        guard let fields = fields(of: node, what: "a stage", keys: keys) else { return nil }
        let label = fields["label"].flatMap { text($0, what: "\"label\"") }
        if let versions = fields["lightweight"] {
            for key in ["from", "to", "mapping", "will", "did"] where fields.has(key) {
                report("a lightweight stage has no \"\(key)\"; make a stage of its own", at: fields.location(key))
            }
            guard let names = texts(versions, what: "\"lightweight\"") else { return nil }
            for (place, item) in (versions.sequence ?? [versions]).enumerated() {
                parts[index, default: [:]][.version(place)] = item.location
            }
            return .lightweight(names, label: label)
        }
        guard let from = fields["from"].flatMap({ text($0, what: "\"from\"") }),
            let to = fields["to"].flatMap({ text($0, what: "\"to\"") })
        else {
            report("a stage needs \"lightweight\", a list of versions, or \"from\" and \"to\"", at: node.location)
            return nil
        }
        parts[index, default: [:]][.version(0)] = fields["from"]?.location
        parts[index, default: [:]][.version(1)] = fields["to"]?.location
        let mapping = fields["mapping"].flatMap { self.mapping($0) }
        let will = edits(fields["will"], "will", of: index) { .willMigrate($0) }
        let did = edits(fields["did"], "did", of: index) { .didMigrate($0) }
        return .custom(from: from, to: to, mapping: mapping, label: label, willMigrate: will, didMigrate: did)
    }

    private mutating func mapping(_ node: YAMLNode) -> MappingModelDocument? {
        guard let name = text(node, what: "\"mapping\"") else { return nil }
        do throws(DocumentErrors) {
            return try MappingModelFile.read(path: name.hasPrefix("/") ? name : folder + "/" + name)
        } catch {
            report("the mapping model cannot be read: \(error)", at: node.location)
            return nil
        }
    }

    private mutating func edits(
        _ node: YAMLNode?, _ key: String, of stage: Int, part: (Int) -> StagedMigrationError.Part
    ) -> [StoreEdit] {
        guard let node, let items = list(of: node, what: "\"\(key)\"") else { return [] }
        var result: [StoreEdit] = []
        for item in items {
            guard let step = editStep(item, needsFilter: false) else { continue }
            parts[stage, default: [:]][part(result.count)] = item.location
            result.append(.step(step))
        }
        return result
    }
}
