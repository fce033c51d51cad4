import CommandLineParsing
import StoreEditing

struct EditOptions: SourceOptions {
    var models: [String] = []
    var version: String?
    var configuration: String?
    var update: String?
    var delete: String?
    var insert: String?
    var relate: String?
    var unrelate: String?
    var script: String?
    var predicate: String?
    var values: [Assignment] = []
    var jsonValues: [Assignment] = []
    var transformers: [TransformerArgument] = []
    var links: [Assignment] = []
    var destinations: String?
    var unlinks = false
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
            "Models to find the store's version among; by default the model that the store carries."),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The version that made the store; by default the one with its hashes."),
        .optionalValue(
            "configuration", \.configuration, placeholder: "NAME",
            "The configuration that the store holds, if its entities do not show it."),
        .optionalValue(
            "update", \.update, placeholder: "ENTITY", "Set attributes of the objects that --where finds."),
        .optionalValue("delete", \.delete, placeholder: "ENTITY", "Delete the objects that --where finds."),
        .optionalValue("insert", \.insert, placeholder: "ENTITY", "Make an object."),
        .optionalValue(
            "relate", \.relate, placeholder: "ENTITY.RELATIONSHIP",
            "Link the objects that --where finds with those that --to finds."),
        .optionalValue(
            "unrelate", \.unrelate, placeholder: "ENTITY.RELATIONSHIP",
            "Remove the links of the objects that --where finds, or only those with the objects that --to finds."),
        .optionalValue("script", \.script, placeholder: "FILE", "Run the steps of this YAML file."),
        .optionalValue(
            "where", short: "w", \.predicate, placeholder: "PREDICATE",
            "Which objects: a predicate in the format language; TRUEPREDICATE for all."),
        .values(
            "set", \.values, placeholder: "ATTRIBUTE=EXPRESSION",
            "The value of an attribute: an expression over what the object holds."),
        .values(
            "set-json", \.jsonValues, placeholder: "ATTRIBUTE=JSON",
            "The value of a transformable attribute as JSON, of which its value transformer makes what is stored."),
        .transformers(\.transformers),
        .values(
            "link", \.links, placeholder: "RELATIONSHIP=PREDICATE",
            "With --insert: link the new object with the objects that a predicate finds."),
        .optionalValue(
            "to", \.destinations, placeholder: "PREDICATE",
            "With --relate and --unrelate: the objects at the other end."),
        .switch(
            "unlink", \.unlinks,
            "With --delete: also remove the links to the deleted objects that no delete rule reaches."),
        .optionalValue("backup", \.backup, placeholder: "DIR", "Keep the old files in this folder."),
        .switch("dry-run", \.isDryRun, "Do everything but the commit, and say what would be done."),
        .timeout(\.timeout),
        .progress(\.progress),
        .value("limit", \.limit, within: 0...1_000_000, placeholder: "N", "How many objects the report names."),
        .switch("json", \.isJSON, "Print JSON."),
    ])
}

extension Command {
    static let edit = Command(
        "edit", "Change the objects of a store by the rules of its model",
        discussion:
            "All steps are one transaction. Delete rules are followed, inverses are kept, and whatever was changed is "
            + "validated as in a save: an edit that breaks a rule changes nothing, lists all faults, and its exit status "
            + "is 2. Where the store keeps persistent history, the changes are a transaction of the author \"ferry\".",
        operands: .one("STORE"), options: EditOptions.self
    ) { options in
        let request = try EditRequest(options)
        return try LockWaiting.wait(options.timeout) {
            try ProgressWatch.during("editing", options.progress) { try request.run($0) }
        }
    }
}
