import CommandLineParsing
import PersistentStores
import StoreConversion
import StoreEditing
import StoreMigration
import ValueTransformers

/// A request to edit a store, whose options have been checked against each other.
struct EditRequest {
    private let options: EditOptions
    private let step: EditStep?

    init(_ options: EditOptions) throws {
        self.options = options
        let steps = [
            ("--update", options.update), ("--delete", options.delete), ("--insert", options.insert),
            ("--relate", options.relate), ("--unrelate", options.unrelate), ("--script", options.script),
        ].compactMap { name, value in value.map { (name, $0) } }
        guard let (name, subject) = steps.first else {
            throw UsageError.missing("--update, --delete, --insert, --relate, --unrelate or --script")
        }
        if steps.count > 1 {
            throw UsageError(
                .conflict, name, value: steps[1].0, expected: "remove one, or put several steps into a --script")
        }
        try Self.check(options, for: name)
        if let text = options.predicate { _ = try FormatArgument.predicate(text, of: "--where") }
        if let text = options.destinations { _ = try FormatArgument.predicate(text, of: "--to") }
        for value in options.values { _ = try FormatArgument.expression(value.value, of: "--set") }
        for link in options.links { _ = try FormatArgument.predicate(link.value, of: "--link") }
        step = try Self.step(name, subject, options)
    }

    private static func check(_ options: EditOptions, for name: String) throws(UsageError) {
        let takers = [
            ("--where", options.predicate != nil, ["--update", "--delete", "--relate", "--unrelate"]),
            ("--set", !options.values.isEmpty, ["--update", "--insert"]),
            ("--set-json", !options.jsonValues.isEmpty, ["--update", "--insert"]),
            ("--transformer", !options.transformers.isEmpty, ["--update", "--insert", "--script"]),
            ("--link", !options.links.isEmpty, ["--insert"]),
            ("--to", options.destinations != nil, ["--relate", "--unrelate"]),
            ("--unlink", options.unlinks, ["--delete"]),
        ]
        for (option, isSet, names) in takers where isSet && !names.contains(name) {
            throw .conflict(name, with: option)
        }
        if options.predicate == nil, takers[0].2.contains(name) { throw .missing("--where PREDICATE") }
        if name != "--script", options.jsonValues.isEmpty, !options.transformers.isEmpty {
            throw .dependent("--transformer", on: "--set-json")
        }
        if options.values.isEmpty, options.jsonValues.isEmpty, name == "--update" {
            throw .missing("--set ATTRIBUTE=EXPRESSION")
        }
        if options.destinations == nil, name == "--relate" { throw .missing("--to PREDICATE") }
    }

    private static func step(_ name: String, _ subject: String, _ options: EditOptions) throws(UsageError) -> EditStep?
    {
        let filter = options.predicate ?? ""
        let values =
            options.values.map { EditAssignment($0.name, $0.value) }
            + options.jsonValues.map { EditAssignment($0.name, json: $0.value) }
        switch name {
        case "--update": return .update(subject, where: filter, set: values)
        case "--delete":
            return .delete(subject, where: filter, unlinking: options.unlinks ? .all : .byDeleteRules)
        case "--insert":
            return .insert(subject, set: values, link: options.links.map { EditLink($0.name, to: $0.value) })
        case "--relate", "--unrelate":
            guard let (entity, relationship) = RelationshipName.parts(of: subject) else {
                throw .badValue(subject, of: name, expected: "ENTITY.RELATIONSHIP")
            }
            return name == "--relate"
                ? .relate(entity, relationship: relationship, where: filter, to: options.destinations ?? "")
                : .unrelate(entity, relationship: relationship, where: filter, to: options.destinations)
        default: return nil
        }
    }

    func run(_ watch: ProgressWatch) throws -> ExitStatus {
        Cancellation.watchSignals()
        let steps = try options.script.map { try EditScript.read(path: $0) } ?? [step].compactMap { $0 }
        var settings = StoreEditor.Options()
        settings.isDryRun = options.isDryRun
        settings.backup = options.backup
        settings.exampleLimit = options.limit
        settings.transformers = options.transformers.registry
        settings.isCancelled = { Cancellation.isRequested }
        settings.onCheckpoint = watch.checkpoint
        let report = try run(steps, settings)
        Console.print(options.isJSON ? try JSONText.text(report) : report.description)
        return report.isValid ? .done : .failed
    }

    private func run(_ steps: [EditStep], _ settings: StoreEditor.Options) throws -> EditReport {
        let path = options.operands[0]
        let catalog = try VersionCatalog(paths: options.models, sources: options.sources.selection)
        if try PersistentStoreRegistry.standard.isAtomic(path) {
            let version = try catalog.sourceVersion(
                of: PersistentStoreRegistry.standard.metadata(at: path), at: path, named: options.version,
                configuration: options.configuration)
            return try AtomicStoreEditor(path: path, version.newStore, options: settings).run(steps)
        }
        let version = try catalog.sourceVersion(
            of: SQLiteStore(path: path), named: options.version, configuration: options.configuration)
        return try StoreEditor(path: path, model: version.model, options: settings).run(steps)
    }
}
