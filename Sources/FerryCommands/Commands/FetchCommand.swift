import CommandLineParsing
import StoreFetching

/// The format in which results are written.
enum FetchFormat: String, CaseIterable, Sendable {
    case text, csv, json, ndjson
}

struct FetchOptions: SourceOptions {
    var models: [String] = []
    var version: String?
    var isMerging = false
    var entity: String?
    var predicate: String?
    var objectIDs: [String] = []
    var sort: [String] = []
    var limit = 0
    var offset = 0
    var columns: String?
    var isDistinct = false
    var group: String?
    var sums: [String] = []
    var minima: [String] = []
    var maxima: [String] = []
    var averages: [String] = []
    var isCounting = false
    var having: String?
    var prefetch: [String] = []
    var isIDs = false
    var isExact = false
    var template: String?
    var fetchedProperty: String?
    var variables: [Assignment] = []
    var showsSQL = false
    var format = FetchFormat.text
    var dates = ValueStyle.Dates.iso8601
    var archives = ArchiveWriting.base64
    var transformers: [TransformerArgument] = []
    var resultTypes: [Assignment] = []
    var timeout = LockWaiting.standard
    var progress = ProgressMode.auto
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
        .optionalValue("entity", short: "e", \.entity, placeholder: "ENTITY", "The entity whose objects are fetched."),
        .optionalValue(
            "where", short: "w", \.predicate, placeholder: "PREDICATE",
            "Which objects: a predicate in the format language."),
        .values(
            "id", \.objectIDs, placeholder: "URI",
            "The object with this URI, x-coredata://STORE/Entity/p1; one that is not there is an error."),
        .values(
            "sort", \.sort, separator: ",", placeholder: "KEYS",
            "Key paths to sort by; -KEY descends, KEY:localizedStandardCompare: names the comparison."),
        .value("limit", \.limit, within: 0...Int.max, placeholder: "N", "The maximum number of results; 0 for all."),
        .value("offset", \.offset, within: 0...Int.max, placeholder: "N", "How many results to skip."),
        .optionalValue(
            "columns", short: "c", \.columns, placeholder: "LIST",
            "Key paths and expressions, between commas: name,department.name,orders.@count."),
        .switch("distinct", \.isDistinct, "Each result once."),
        .optionalValue("group", \.group, placeholder: "LIST", "Make one result of all objects with equal values."),
        .values("sum", \.sums, placeholder: "KEY", "The sum of a group's values."),
        .values("min", \.minima, placeholder: "KEY", "The lowest of a group's values."),
        .values("max", \.maxima, placeholder: "KEY", "The highest of a group's values."),
        .values("average", \.averages, placeholder: "KEY", "The average of a group's values."),
        .switch("count", \.isCounting, "The number of objects, or of those of a group."),
        .optionalValue(
            "having", \.having, placeholder: "PREDICATE",
            "Which groups: a predicate on what is grouped by and on aggregates, sum(salary) > 1000."),
        .values(
            "prefetch", \.prefetch, separator: ",", placeholder: "RELATIONSHIPS",
            "Fetch the attributes of related objects with them."),
        .switch("ids", \.isIDs, "The objects' URIs only."),
        .switch("no-subentities", \.isExact, "Leave out the objects of subentities."),
        .optionalValue("template", \.template, placeholder: "NAME", "A fetch request of the model, by its name."),
        .optionalValue(
            "fetched", \.fetchedProperty, placeholder: "PROPERTY",
            "Run this fetched property for each of the objects; $FETCH_SOURCE is the object, in --columns too."),
        .values("set", \.variables, placeholder: "VAR=VALUE", "The value of a predicate's variable."),
        .switch("sql", \.showsSQL, "Show the SQL, SQLite's query plan, and what Swift evaluates; fetch nothing."),
        .choice(
            "format", short: "f", \.format, placeholder: "FORMAT",
            "How results are written; all but text are exact."),
        .timeout(\.timeout),
        .progress(\.progress),
        .choice("dates", \.dates, placeholder: "HOW", "How dates are written; each way keeps the last bit."),
        .choice("archives", \.archives, placeholder: "HOW", "How values of transformable attributes are written."),
        .transformers(\.transformers),
        .values(
            "result-type", \.resultTypes, placeholder: "COLUMN=TYPE",
            "The type of the values of one of the --columns or of an aggregate, as a model has it: sum(age)=Double."),
    ])
}

extension Command {
    static let fetch = Command(
        "fetch", "Query the objects of one or several stores",
        discussion:
            "Predicates, sort keys and aggregates run as SQL over Core Data's tables. What SQL cannot express is "
            + "evaluated in Swift, with the same results and in bounded memory. Several stores of one model version, as "
            + "those of its configurations, are asked as if they were one. Nothing is written, not even next "
            + "to the stores. If the reader of a pipe closes it, the fetch ends with status 0.",
        operands: .atLeast(1, "STORE..."), options: FetchOptions.self
    ) { options in
        let request = try FetchCall(options)
        return try LockWaiting.wait(options.timeout) {
            try ProgressWatch.during("fetching", options.progress.besideData) { _ in try request.run() }
        }
    }
}
