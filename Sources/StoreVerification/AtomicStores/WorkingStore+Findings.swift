import PersistentStores
import StoreConversion

extension WorkingStore {
    /// Returns the faults of links that a SQLite store cannot have, since it keeps each link only once.
    func linkFindings(uuid: String, limit: Int) -> [VerificationFinding] {
        findings.compactMap { finding in
            guard let rule = VerificationRule(finding.code) else { return nil }
            let entity = finding.subject.prefix { $0 != "." }
            return VerificationFinding(
                rule, subject: finding.subject, count: finding.count,
                examples: finding.keys.prefix(limit).map {
                    ManagedObjectID(storeUUID: uuid, entityName: String(entity), primaryKey: $0).uri
                })
        }
    }

    /// Leaves out missing values that are NaN in the store, which SQLite cannot store.
    func withoutNumbersLost(_ faults: [VerificationFinding]) -> [VerificationFinding] {
        let lost = Dictionary(
            findings.filter { $0.code == .notANumber }.map { ($0.subject, $0.count) }, uniquingKeysWith: +)
        return faults.filter { $0.rule != .missingValue || lost[$0.subject ?? ""] ?? 0 < $0.count }
    }
}
