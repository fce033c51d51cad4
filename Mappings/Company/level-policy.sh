#!/bin/sh
# The policy Company.LevelPolicy of levels-by-policy.yaml as a program: records come as JSON lines, and objects go back.
#
#   ferry migrate STORE ... --mapping levels-by-policy.yaml --policy 'Company.LevelPolicy=sh level-policy.sh'

while IFS= read -r line; do
    case $line in
    # Several batches may come before the first one is answered.
    '{"ferry":'*) echo '{"protocol":2}' && continue ;;
    '{"end":'*) echo '{"end":"batch"}' && continue ;;
    esac
    source=${line#'{"source":"'}
    source=${source%%'"'*}
    attributes=${line#*'"attributes":{'}
    level=${attributes#*'"level":'}
    level=${level%%[,\}]*}
    days=${attributes#*'"vacationDays":'}
    days=${days%%[,\}]*}
    # Required in the new version, and not filled in everywhere.
    [ "$days" = null ] && days=25
    skills=
    if [ "$level" != null ]; then
        skills="{\"id\":\"$source\"}"
        # The skill of that name, or a new one.
        printf '{"source":"%s","entity":"Skill","id":"%s","key":["name"],"attributes":{"name":"Level %s"}}\n' \
            "$source" "$source" "$level"
    fi
    printf '{"source":"%s","attributes":{"vacationDays":%s},"relationships":{"skills":[%s]}}\n' "$source" "$days" "$skills"
done
