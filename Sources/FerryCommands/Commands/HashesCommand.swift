import CommandLineParsing
import PersistentStores
import StoreMigration

struct HashesOptions: SourceOptions {
    var version: String?
    var configuration: String?
    var isMerging = false
    var fit: String?
    var saves = false
    var isForced = false
    var progress = ProgressMode.auto
    var isJSON = false
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .optionalValue("version", \.version, placeholder: "VERSION", "Only this version: its name or its path."),
        .optionalValue(
            "configuration", \.configuration, placeholder: "NAME",
            "Only the entities of this configuration."),
        .switch("merge", \.isMerging, "Merge the current versions of the models into one."),
        .optionalValue(
            "fit", \.fit, placeholder: "STORE",
            "Which version of the Swift sources this store has, and what it tells where no rule is established."),
        .switch(
            "save", \.saves,
            "With --fit: keep what the store tells in the file of rules (--swiftdata-rules), for all commands."),
        .switch("force", \.isForced, "With --save: replace rules that say otherwise."),
        .progress(\.progress),
        .switch("json", \.isJSON, "Print JSON."),
    ])
}

extension Command {
    static let hashes = Command(
        "hashes", "Show the version hashes of a model's entities",
        discussion:
            "Of each version of a model: the hash of every entity in hexadecimal digits and in base64, the digest "
            + "and the checksum, as Core Data writes them into the metadata of stores and Xcode into "
            + "VersionInfo.plist. Of a store: the hashes in its metadata. The exit status is 1 if a version cannot "
            + "be read, or if a hash rests on a rule that is not established.",
        operands: .atLeast(1, "MODEL|STORE..."), options: HashesOptions.self
    ) { options in
        if let store = options.fit {
            if options.isForced, !options.saves { throw UsageError.dependent("--force", on: "--save") }
            if options.version != nil { throw UsageError.conflict("--fit", with: "--version") }
            if options.configuration != nil { throw UsageError.conflict("--fit", with: "--configuration") }
            return try ProgressWatch.during("fitting", options.progress) { _ in
                try FitRequest(store: store, options: options).run()
            }
        }
        if options.saves { throw UsageError.dependent("--save", on: "--fit") }
        let listing: HashListing
        if options.operands.count == 1, FileSystem.isDatabase(options.operands[0]), options.version == nil {
            listing = HashListing(of: try SQLiteStore(path: options.operands[0]))
        } else {
            let catalog = try VersionCatalog(
                paths: options.operands, isMerging: options.isMerging,
                sources: options.sources.selection)
            listing = try HashListing(catalog, versionNamed: options.version, configuration: options.configuration)
            catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        }
        Console.print(options.isJSON ? try JSONText.text(listing) : listing.description)
        return listing.hasFindings ? .findings : .done
    }
}
