import CommandLineParsing
import StoreExport
import StoreFetching

struct ExportOptions: SourceOptions {
    var models: [String] = []
    var version: String?
    var isMerging = false
    var entities: [String] = []
    var isAll = false
    var format: ExportFormat?
    var predicate: String?
    var sort: [String] = []
    var columns: String?
    var mapping: String?
    var newMapping: String?
    var rejects: String?
    var dates = ValueStyle.Dates.iso8601
    var archives = ArchiveWriting.base64
    var transformers: [TransformerArgument] = []
    var output: String?
    var isForced = false
    var progress = ProgressMode.auto
    var timeout = LockWaiting.standard
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "A model bundle, a model, or a folder with some; by default the model that the store carries."),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The store's version, if its hashes are unknown; its tables must fit."),
        .switch("merge", \.isMerging, "Merge the current versions of the models into one."),
        .values(
            "entity", short: "e", \.entities, separator: ",", placeholder: "ENTITIES",
            "The entities whose objects are exported, without those of their subentities."),
        .switch("all", \.isAll, "All entities that have objects of their own."),
        .optionalChoice(
            "format", short: "f", \.format, placeholder: "FORMAT",
            "How the objects are written; by default what the mapping or the extension of --output says, else csv."),
        .optionalValue(
            "where", short: "w", \.predicate, placeholder: "PREDICATE",
            "Which objects: a predicate in the format language."),
        .values(
            "sort", \.sort, separator: ",", placeholder: "KEYS",
            "Key paths to sort by; -KEY descends. By default the primary key."),
        .optionalValue(
            "columns", short: "c", \.columns, placeholder: "LIST",
            "Key paths and expressions, between commas; by default attributes and relationships."),
        .optionalValue(
            "mapping", \.mapping, placeholder: "FILE",
            "An import mapping, which is inverted: importing the files with it gives the same objects."),
        .optionalValue(
            "write-mapping", \.newMapping, placeholder: "FILE",
            "Write the import mapping that brings the files back; with --mapping that mapping, for files of --format; - is "
                + "standard output."),
        .optionalValue(
            "rejects", \.rejects, placeholder: "FILE",
            "Write the objects that are left out, and the reasons, to a new file, or with - to standard output: an object of "
                + "JSON a line."),
        .choice("dates", \.dates, placeholder: "HOW", "Without a mapping: how dates are written."),
        .choice(
            "archives", \.archives, placeholder: "HOW",
            "Without a mapping: how values of transformable attributes are written."),
        .transformers(\.transformers),
        .timeout(\.timeout),
        .progress(\.progress),
        .optionalValue(
            "output", short: "o", \.output, placeholder: "PATH",
            "A new file, or a folder for several; by default, and with -, standard output."),
        .force(\.isForced, "a file"),
    ])
}

extension Command {
    static let export = Command(
        "export", "Export the objects of one or several stores as CSV, JSON or XML",
        discussion:
            "The inverse of ferry import. Values are exact, and related objects are written as their keys. Several "
            + "stores of one model version are exported as if they were one, without an import mapping. The "
            + "stores are not changed. Several files get their names together, when all are complete. Objects that "
            + "could not be imported again as they are, are left out and named. The exit status is 1 if the files lack something that the store has. If the "
            + "reader of a pipe closes it, the export ends with status 0.",
        operands: .atLeast(1, "STORE..."), options: ExportOptions.self
    ) { options in
        var options = options
        if options.output == CommandOutput.standard { options.output = nil }
        let request = try ExportCall(options)
        return try LockWaiting.wait(options.timeout) {
            let progress = options.output == nil ? options.progress.besideData : options.progress
            return try ProgressWatch.during("exporting", progress) { try request.run($0) }
        }
    }
}
