public import ManagedObjectModels

/// Writes models as `@Model` classes: each version is a `VersionedSchema`, and several have a migration plan.
public struct SwiftDataWriter: Sendable {
    /// The content of a Swift file.
    public let text: String

    /// Warnings about features that SwiftData lacks, and hashes that will differ.
    public let warnings: [ModelWarning]

    /// Writes versions of a model as one Swift file.
    /// - Parameter versions: the names and the documents, the oldest first.
    /// - Throws: `ModelError` if a model is invalid.
    public init(_ versions: [(name: String, document: ModelDocument)]) throws(ModelError) {
        var lines = ["import Foundation", "import SwiftData", ""]
        var warnings: [ModelWarning] = []
        var names: [String] = []
        var identifiers: Set<String> = []
        for (index, version) in versions.enumerated() {
            var schema = SwiftName.type(version.name, else: "Schema\(index + 1)")
            while names.contains(schema) { schema += "_" }
            names.append(schema)
            var identifier = Self.identifier(version.document.model) ?? "\(index + 1), 0, 0"
            if !identifiers.insert(identifier).inserted { identifier = "\(index + 1), 0, 0" }
            var writer = SchemaWriter(
                model: version.document.model, resolved: try ResolvedModel(version.document.model))
            lines += writer.lines(name: schema, identifier: identifier)
            let losses = writer.losses + Self.changedHashes(lines, schema: schema, of: version.document.model)
            warnings += losses.map { loss in
                var loss = loss
                loss.path = loss.path ?? version.name
                return loss
            }
        }
        if names.count > 1 { lines += Self.plan(names) }
        text = lines.joined(separator: "\n")
        self.warnings = warnings
    }

    private static func identifier(_ model: ManagedObjectModel) -> String? {
        let parts = model.versionIdentifiers.first?.split(separator: ".").map { Int($0) } ?? []
        guard parts.count == 3, parts.allSatisfy({ $0 != nil }) else { return nil }
        return parts.compactMap { $0.map { String($0) } }.joined(separator: ", ")
    }

    private static func plan(_ names: [String]) -> [String] {
        let stages = zip(names, names.dropFirst()).map {
            "            .lightweight(fromVersion: \($0).self, toVersion: \($1).self),"
        }
        return [
            "enum MigrationPlan: SchemaMigrationPlan {",
            "    static var schemas: [any VersionedSchema.Type] { [\(names.map { $0 + ".self" }.joined(separator: ", "))] }",
            "    static var stages: [MigrationStage] {", "        [",
        ] + stages + ["        ]", "    }", "}", ""]
    }

    /// Reads the output back: a different hash shows that SwiftData has something in another form.
    private static func changedHashes(
        _ lines: [String], schema: String, of model: ManagedObjectModel
    ) -> [ModelWarning] {
        let bytes = Array(lines.joined(separator: "\n").utf8)
        let declarations = SwiftDeclarations(
            [(.init(path: "", module: ""), SwiftDeclarationScanner.declarations(in: bytes))])
        guard
            let written = SchemaFinder(declarations: declarations).versionedSchemas().first(where: { $0.name == schema }
            ),
            let expected = try? ModelHashes.hashes(of: ResolvedModel(model))
        else { return [] }
        let derived = ModelDerivation.derive(written, from: declarations, moment: .current)
        let found = (try? ResolvedModel(derived.model)).map { ModelHashes.hashes(of: $0) } ?? [:]
        let names = Dictionary(model.entities.map { ($0.name, SwiftName.type($0.name, else: "")) }) { first, _ in first
        }
        return expected.keys.sorted().compactMap { name in
            if found[names[name] ?? name] == expected[name] { return nil }
            return ModelWarning(
                .notWritable("the version hash of the entity (its stores need a migration)"), entity: name)
        }
    }
}
