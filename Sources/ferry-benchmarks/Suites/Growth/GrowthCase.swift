import PersistentStores
import SQLiteAccess

/// What is measured at three sizes.
enum GrowthCase: String, CaseIterable {
    case parts, rejects, limits, files, draft, members, tables

    /// How many times fewer records there are than in the others.
    var divisor: Int { self == .tables ? 10 : 1 }

    /// Whether a mapping is drafted, and nothing imported.
    var isDraft: Bool { self == .draft || self == .members || self == .tables }

    /// Further options of the command.
    var options: [String] { self == .limits ? ["--writer", "sqlite"] : [] }

    /// The parts that an object has.
    private static let partCount = 10

    var mapping: String {
        switch self {
        case .parts:
            """
            import: 1
            sources:
              - objects:
                  - {id: album, entity: Album, key: name, attributes: [name], relationships: {songs: {object: song}}}
                  - {id: song, entity: Song, each: 'songs[*]', attributes: {title: title}}

            """
        case .limits:
            """
            import: 1
            files: people*.csv
            entity: Person
            key: name
            attributes: [name, age]
            relationships: {club: {by: code, from: team, onMissing: create}}

            """
        case .rejects, .files, .draft, .members, .tables:
            """
            import: 1
            sources:
              - files: people*.csv
                entity: Person
                key: name
                attributes: [name, age]
                relationships:
                  team: {by: code, from: team, onMissing: error}
                  boss: {by: name, from: boss}
                  friends: {by: name, from: friends, separator: ;}
              - {files: teams.csv, entity: Team, key: code, attributes: [code]}

            """
        }
    }

    /// Writes so many records.
    ///
    /// - Returns: the paths of the sources.
    func write(_ count: Int, to workspace: Workspace) throws -> [String] {
        let folder = "\(rawValue)-\(count)"
        switch self {
        case .parts:
            let text = (0..<count).map { album in
                let songs = (0..<Self.partCount).map { "{\"title\":\"song \(album) \($0)\"}" }
                return "{\"name\":\"album \(album)\",\"songs\":[\(songs.joined(separator: ","))]}\n"
            }
            return [try workspace.write(text.joined(), to: folder + "/albums.ndjson")]
        case .rejects:
            let text = (0..<count).map { Self.person($0, of: count, team: $0 % 5 == 0 ? "gone" : "") }
            // That they may come later is why the records wait until all are read.
            return [
                try workspace.write(Self.header + text.joined(), to: folder + "/people.csv"),
                try workspace.write("code\nt\n", to: folder + "/teams.csv"),
            ]
        case .limits:
            let text = (0..<count).map { Self.person($0, of: count, team: "club \($0 % 20)") }
            return [try workspace.write(Self.header + text.joined(), to: folder + "/people.csv")]
        case .files:
            return try (0..<count).map {
                try workspace.write(Self.header + Self.person($0, of: count, team: ""), to: "\(folder)/people\($0).csv")
            }
        case .draft:
            let text = (0..<count).map { "\"id \($0)\": {\"name\": \"person \($0)\", \"age\": \($0 % 100)}" }
            return [try workspace.write("{\(text.joined(separator: ",\n"))}\n", to: folder + "/people.json")]
        case .members:
            let text = ["\"name\": \"x\""] + (0..<count).map { "\"member \($0)\": \($0)" }
            return [try workspace.write("[{\(text.joined(separator: ",\n"))}]\n", to: folder + "/people.json")]
        case .tables:
            let path = workspace.file("tables-\(count).db")
            guard !FileSystem.exists(path) else { return [path] }
            let database = try Connection(path: path, access: .create)
            defer { try? database.close() }
            try database.execute("BEGIN")
            for table in 0..<count {
                try database.execute(
                    "CREATE TABLE person\(table) (id INTEGER PRIMARY KEY, name TEXT, age INT, "
                        + "boss INT REFERENCES person\((table + 1) % count) (id)); "
                        + "INSERT INTO person\(table) VALUES (1, 'a', 30, 1), (2, 'b', 40, 1)")
            }
            try database.execute("COMMIT")
            return [path]
        }
    }

    private static let header = "name,age,team,boss,friends\n"

    private static func person(_ number: Int, of count: Int, team: String) -> String {
        let others = [7, 11, 13].map { "p\((number * $0 + 3) % count)" }
        return "p\(number),\(number % 100),\(team),\(others[0]),\(others[1]);\(others[2])\n"
    }
}
