internal import ManagedObjectModels

/// Converts the messages of a document's reader to findings.
struct DocumentFindings {
    let version: String
    let file: String

    /// Returns nil for a warning about how other forms are written.
    func finding(_ warning: ModelWarning) -> LintFinding? {
        guard let code = code(of: warning.code) else { return nil }
        return LintFinding(
            code, version: version, entity: warning.entity, property: warning.property, file: warning.path ?? file,
            line: warning.line, message: warning.reason)
    }

    /// Returns a finding for an error that makes a model invalid.
    func finding(_ error: ModelError) -> LintFinding {
        LintFinding(
            code(of: error.code), version: version, entity: error.entity, property: error.property,
            file: error.path ?? file,
            line: error.line, message: error.reason)
    }

    private func code(of warning: ModelWarning.Code) -> LintCode? {
        switch warning {
        case .unknownElement, .unknownAttribute, .strayText: .unknownElement
        case .unparsedValue, .compiledOtherwise: .unparsedValue
        case .duplicateUserInfoKey: .duplicateUserInfoKey
        case .missingCurrentVersion, .noCurrentVersion, .missingVersion, .incompleteModel, .unreadableFolder,
            .otherHashInBundle,
            .unreadablePropertyList:
            .damagedBundle
        // Differences between forms of models are not faults of this model.
        case .notWritable, .notRepresentable, .writtenByAnalogy, .droppedFetchOptions, .unknownModule, .userInfoAsText,
            .uncertainHash, .otherHashInStore, .source:
            nil
        }
    }

    private func code(of error: ModelError.Code) -> LintCode {
        switch error {
        case .duplicateEntity, .duplicateProperty: .duplicateName
        case .missingName: .missingName
        case .unknownSuperentity: .unknownParent
        case .inheritanceCycle: .inheritanceCycle
        case .unknownDestination: .unknownDestination
        case .unknownComposite: .unknownComposite
        default: .unreadableModel
        }
    }
}
