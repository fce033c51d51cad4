/// The measures of a diagram, in pixels at a scale of 1.
enum DiagramMetrics {
    /// Everything that lines can meet lies on multiples of it, so that many lines are straight.
    static let grid = 9.0

    static let rowHeight = 18.0
    static let titleHeight = 36.0
    /// Below the last row.
    static let footHeight = 9.0

    static let titleSize = 13.0
    static let rowSize = 12.0
    static let detailSize = 11.0
    static let subtitleSize = 10.0

    /// Between a box's border and its text.
    static let padding = 10.0
    /// Between a row's name and its detail.
    static let columnGap = 14.0
    static let minimumWidth = 126.0
    /// A name or a detail is cut at this width, and is whole in the tooltip.
    static let maximumTextWidth = 230.0

    /// Between two boxes of a column; a line that passes between them has half of it on each side.
    static let boxGap = 27.0
    /// For a line that passes through a column.
    static let passageHeight = 9.0

    /// From a box to the nearest track of a channel: room for the sign at a line's end.
    static let channelMargin = 26.0
    /// Between two tracks.
    static let trackPitch = 9.0

    /// Around the whole.
    static let margin = 24.0

    /// Wanted width over height of the whole: that of a screen.
    static let aspect = 1.5
}
