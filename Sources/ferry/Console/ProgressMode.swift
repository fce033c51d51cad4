/// How progress is shown.
enum ProgressMode: String, CaseIterable, Sendable {
    /// A bar on a terminal, plain lines elsewhere.
    case auto
    case bar, plain, json, none
}
