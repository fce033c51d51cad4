import CommandLineParsing
import PersistentStores
import StoreMigration

struct HashesOptions: OptionTable {
    var version: String?
    var isJSON = false
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .optionalValue("version", \.version, placeholder: "VERSION", "Only this version: its name or its path."),
        .switch("json", \.isJSON, "Print JSON."),
    ]
}

extension Command {
    static let hashes = Command(
        "hashes", "Show the version hashes of a model's entities",
        discussion: "Of each version: the hash of every entity in hexadecimal digits and in base 64, the digest and the "
            + "checksum, as Core Data writes them into the metadata of stores and Xcode into VersionInfo.plist. Of a "
            + "store: the hashes that its metadata list. Exits with 1 where a version cannot be read, or a hash rests on "
            + "a rule that is not established.",
        operands: .one("MODEL|STORE"), options: HashesOptions.self
    ) { options in
        let path = options.operands[0]
        let listing: HashListing
        if FileSystem.isDatabase(path) {
            if options.version != nil { throw UsageError.conflict("--version", with: "a store") }
            listing = HashListing(of: try SQLiteStore(path: path))
        } else {
            let catalog = try VersionCatalog(paths: [path])
            listing = try options.version.map { try HashListing(catalog, versionNamed: $0) } ?? HashListing(catalog)
            catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        }
        Console.print(options.isJSON ? try JSONText.text(listing) : listing.description)
        return listing.hasFindings ? .findings : .done
    }
}
