import CommandLineParsing
import StoreEditing

struct MergeIntoOptions: SourceOptions {
    var models: [String] = []
    var version: String?
    var configuration: String?
    var entity = ""
    var predicate: String?
    var followed: [String] = []
    var cascades = false
    var moves = false
    var keys: [String] = []
    var onMatch = MergeOptions.OnMatch.error
    var idMap: String?
    var isForced = false
    var backup: String?
    var isDryRun = false
    var limit = StoreEditor.Options().exampleLimit
    var isJSON = false
    var progress = ProgressMode.auto
    var timeout = LockWaiting.standard
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "Models to find the stores' version among; by default the model that the destination carries."),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The version that made the stores; by default the one with their hashes."),
        .optionalValue(
            "configuration", \.configuration, placeholder: "NAME",
            "The configuration that the stores hold, if their entities do not show it."),
        .value("entity", short: "e", \.entity, placeholder: "ENTITY", "The entity whose objects are copied.")
            .required(),
        .optionalValue(
            "where", short: "w", \.predicate, placeholder: "PREDICATE",
            "Which of its objects: a predicate in the format language; all without it."),
        .values(
            "follow", \.followed, placeholder: "PATH,...",
            "Also copy the objects on these paths of relationships, as in employees.projects."),
        .switch(
            "cascade", \.cascades, "Also copy what relationships with the delete rule Cascade lead to, and so on."),
        .switch("move", \.moves, "Delete the copied objects from the source, by the delete rules."),
        .values(
            "key", \.keys, placeholder: "[ENTITY:]ATTRIBUTE,...",
            "What identifies objects of the entity, or of the named one; by default its first uniqueness constraint."),
        .choice(
            "on-match", \.onMatch, placeholder: "ACTION",
            "What to do with an object whose key the destination has: keep that one, update it, or merge nothing."),
        .optionalValue(
            "id-map", \.idMap, placeholder: "FILE", "Write entity, old key and new key of each object as CSV."),
        .switch("force", short: "f", \.isForced, "Replace the file of --id-map."),
        .optionalValue("backup", \.backup, placeholder: "DIR", "Keep the old files of the destination in this folder."),
        .switch("dry-run", \.isDryRun, "Do everything but the commit, and say what would be done."),
        .timeout(\.timeout),
        .progress(\.progress),
        .value("limit", \.limit, within: 0...1_000_000, placeholder: "N", "How many objects the report names."),
        .switch("json", \.isJSON, "Print JSON."),
    ])
}

extension Command {
    static let mergeInto = Command(
        "merge-into", "Copy objects of a store into another one",
        discussion:
            "Both stores are of the same version. An object whose key the destination has is not copied again: what "
            + "links to it links to the destination's. Without a key, objects are always new. Relationships to objects "
            + "that are not copied are kept where the destination has an object with the same key, and otherwise left "
            + "out and counted. All is one transaction: what was changed is validated as in a save, and a merge that "
            + "breaks a rule changes nothing; its exit status is 2.",
        operands: OperandRule("SOURCE DESTINATION", 2, upTo: 2), options: MergeIntoOptions.self
    ) { options in
        let request = try MergeIntoRequest(options)
        return try LockWaiting.wait(options.timeout) {
            try ProgressWatch.during("merging", options.progress) { try request.run($0) }
        }
    }
}
