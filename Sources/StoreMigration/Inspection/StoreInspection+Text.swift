import PersistentStores

extension StoreInspection: CustomStringConvertible {
    /// The inspection for users.
    public var description: String {
        var lines = ["Store \(path)"]
        var facts = TextColumns()
        facts.add("type", "\(type), \(journalMode) journal, pages of \(pageSize) bytes")
        facts.add("UUID", uuid)
        var size = Quantity.bytes(fileSize)
        if writeAheadLogSize > 0 { size += ", write-ahead log \(Quantity.bytes(writeAheadLogSize))" }
        if externalDataSize > 0 { size += ", external data \(Quantity.bytes(externalDataSize))" }
        facts.add("size", size)
        if let frameworkVersion { facts.add("Core Data", "framework version \(frameworkVersion)") }
        let identifiers = versionIdentifiers.filter { !$0.isEmpty }
        if !identifiers.isEmpty { facts.add("identifiers", identifiers.joined(separator: ", ")) }
        if let digest { facts.add("digest", digest) }
        if let checksum { facts.add("checksum", checksum) }
        facts.add("history", hasPersistentHistory ? "persistent history is on" : "none")
        if hasModelCache { facts.add("model", "the store carries its model") }
        if !customMetadataKeys.isEmpty { facts.add("metadata", customMetadataKeys.joined(separator: ", ")) }
        if let match { facts.add("version", text(of: match)) }
        lines += facts.lines()
        lines.append("Entities")
        var columns = TextColumns(rightAligned: [0, 2])
        columns.add("no.", "entity", "rows", "parent", "version hash")
        for entity in entities {
            columns.add(
                String(entity.number), entity.name, entity.rows.map(Quantity.count) ?? "?", entity.parent ?? "",
                entity.versionHash ?? "")
        }
        lines += columns.lines()
        if let model { lines.append(String(model.description.dropLast())) }
        if !unknownTables.isEmpty { lines.append("Other tables: " + unknownTables.joined(separator: ", ")) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func text(of match: Match) -> String {
        if let version = match.version, let path = match.path {
            return version + (match.configuration.map { ", configuration \($0)" } ?? "") + " (\(path))"
                + (match.others.isEmpty ? "" : "; the same hashes: \(match.others.joined(separator: ", "))")
        }
        guard let nearest = match.nearest else { return "no model version has these hashes" }
        return "no model version has these hashes; \(nearest) comes nearest: "
            + UnknownVersion.text(of: match.differences)
            + (match.sources.map { "; \"ferry hashes --fit STORE \($0)\" tells more" } ?? "")
    }
}
