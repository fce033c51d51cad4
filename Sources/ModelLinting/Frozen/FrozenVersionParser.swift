internal import DocumentReading
import ManagedObjectModels

/// Reads the lines of a file of frozen versions.
struct FrozenVersionParser {
    private let source: SourceText
    private var versions: [FrozenVersion] = []
    private var name: String?
    private var entities: [FrozenVersion.Entity] = []
    private var entity: (name: String, hash: VersionHash)?
    private var properties: [String: VersionHash] = [:]

    init(_ source: SourceText) {
        self.source = source
    }

    mutating func versions(firstLine: String) throws -> [FrozenVersion] {
        var isFirst = true
        let lines = String(decoding: source.bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let text = String(line.drop { $0 == " " })
            if text.isEmpty || text.hasPrefix("#") { continue }
            if isFirst {
                guard text == firstLine else {
                    throw error("the file must begin with \"\(firstLine)\"", line: index + 1)
                }
                isFirst = false
                continue
            }
            try read(text, line: index + 1)
        }
        if isFirst { throw error("the file must begin with \"\(firstLine)\"", line: 1) }
        finishVersion()
        return versions
    }

    private mutating func read(_ text: String, line: Int) throws {
        let parts = text.split(separator: " ", maxSplits: 1).map { String($0) }
        guard parts.count == 2 else { throw error("this must be a version, an entity or a property", line: line) }
        switch parts[0] {
        case "version":
            finishVersion()
            guard !versions.contains(where: { $0.name == parts[1] }) else {
                throw error("the version \"\(parts[1])\" is frozen twice; remove one", line: line)
            }
            name = parts[1]
        case "entity" where name != nil:
            finishEntity()
            entity = try named(parts[1], line: line)
            if entities.contains(where: { $0.name == entity?.name }) {
                throw error("the version has this entity twice; remove one", line: line)
            }
        case "property" where entity != nil:
            let (name, hash) = try named(parts[1], line: line)
            guard properties.updateValue(hash, forKey: name) == nil else {
                throw error("the entity has this property twice; remove one", line: line)
            }
        default: throw error("this must be a version, an entity of a version, or a property of an entity", line: line)
        }
    }

    /// Parses `name hash`.
    private func named(_ text: String, line: Int) throws -> (name: String, hash: VersionHash) {
        guard let space = text.lastIndex(of: " "),
            let hash = VersionHash(hex: String(text[text.index(after: space)...]))
        else { throw error("a name and a hash of 64 hexadecimal digits must stand here", line: line) }
        return (String(text[..<space]), hash)
    }

    private mutating func finishEntity() {
        if let entity { entities.append(.init(name: entity.name, hash: entity.hash, properties: properties)) }
        entity = nil
        properties = [:]
    }

    private mutating func finishVersion() {
        finishEntity()
        if let name { versions.append(FrozenVersion(name: name, entities: entities)) }
        name = nil
        entities = []
    }

    private func error(_ sentence: String, line: Int) -> DocumentErrors {
        let location = SourceLocation(file: source.name, line: line, column: 1)
        return DocumentErrors([
            DocumentError(.unacceptable, sentence, at: location, excerpt: source.excerpt(at: location))
        ])
    }
}
