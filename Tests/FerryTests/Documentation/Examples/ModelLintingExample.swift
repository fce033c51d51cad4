import ManagedObjectModels
import ModelLinting

/// What is wrong in the current version of a model, a line each.
func findings(in models: String) throws -> [String] {
    let version = try ModelVersions(path: models).current()
    return ModelLinter.findings(in: version).map { finding in
        "\(finding.severity.rawValue): \(finding.message) [\(finding.code.rawValue)]"
    }
}
